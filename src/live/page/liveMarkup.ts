/** The page before any news: all of it is there, the script only fills it. */
export const liveMarkup = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>kube-sluice, live</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="page.css">
<script src="page.js" defer></script>
</head>
<body>
<a class="skip" href="#events">Skip to the events</a>
<header class="top">
<h1>kube-sluice</h1>
<p id="connection">Connecting</p>
<p id="memory"></p>
<button type="button" id="hold" aria-pressed="false">Hold still</button>
</header>
<p id="spoken" class="unseen" role="status"></p>
<noscript><p class="alert">This page is drawn by its script. Without it there is <code>/metrics</code>.</p></noscript>
<main>
<div id="shards"></div>
<section class="events" aria-labelledby="events">
<h2 id="events">The last events</h2>
<p class="legend"><i class="marble normal"><span>N</span></i> Normal <i class="marble warning"><span>W</span></i> Warning <i class="marble other"><span>?</span></i> another type <i class="marble gap"><span>G</span></i> gap record <i class="marble refused"><span>×</span></i> refused <i class="marble faller"><span></span></i> of another shard <i class="marble faller"><span>=</span></i> read before. When more than 80 a second come, what is drawn and listed is a sample; what is counted is everything.</p>
<div class="find" role="search">
<label>Search <input id="search" type="search" placeholder="BackOff web-0" autocomplete="off" spellcheck="false"></label>
<label>Type <select id="type"><option value="">All</option><option>Normal</option><option>Warning</option><option value="Other">Others</option></select></label>
<label>Where <select id="where"><option value="">Anywhere</option><option value="way">On the way</option><option value="join">At the join</option><option value="queue">In the queue</option><option value="sink">At the sink</option><option value="stored">Stored</option><option value="refused">Refused</option></select></label>
<label>Shard <select id="shard"><option value="">All</option></select></label>
<p id="found">No events yet</p>
</div>
<div class="scroll" tabindex="0" role="region" aria-label="Table of events">
<table>
<thead><tr><th scope="col">Read (UTC)</th><th scope="col">Shard</th><th scope="col">Type</th><th scope="col">Reason</th><th scope="col">Where</th><th scope="col">Namespace</th><th scope="col">Object</th><th scope="col">Workload</th><th scope="col">Count</th><th scope="col">Message</th></tr></thead>
<tbody id="event-body"></tbody>
</table>
</div>
</section>
</main>
</body>
</html>
`;
