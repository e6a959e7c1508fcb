import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Below the repository, so that the declarations find the packages they name. */
const scratch = `${root}node_modules/.cache/kube-sluice-api`;

/** What one entry point promises: every exported name with its type, and the names that are needed for it and not exported. */
export interface ApiReport {
  readonly text: string;
  readonly forgotten: readonly string[];
}

/** Emits the declarations of the package. */
export function emitDeclarations(): void {
  const compiler = `${root}node_modules/.bin/tsc`;
  execFileSync(compiler, ['-p', `${root}tsconfig.build.json`, '--emitDeclarationOnly', '--outDir', `${scratch}/types`], { stdio: 'pipe' });
}

/** Reads the emitted declarations of an entry point. */
export function apiReport(entry: string): ApiReport {
  const reportFolder = `${scratch}/${entry}`;
  mkdirSync(reportFolder, { recursive: true });
  const forgotten: string[] = [];
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: `${root}package.json`,
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: `${scratch}/types/${entry}.d.ts`,
      compiler: { overrideTsconfig: tsconfig(entry) },
      apiReport: { enabled: true, reportFileName: `${entry}.api.md`, reportFolder, reportTempFolder: `${reportFolder}/temp` },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
    },
  });
  Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      const [, name] = /The symbol "(\w+)" needs to be exported/.exec(message.text) ?? [];
      if (message.messageId === 'ae-forgotten-export' && name !== undefined) forgotten.push(name);
      message.handled = true;
    },
  });
  const text = readFileSync(`${reportFolder}/${entry}.api.md`, 'utf8').replace(/^.*\(ae-forgotten-export\).*\n/gm, '');
  return { text, forgotten };
}

/** As the project's own, but only for the declarations. */
function tsconfig(entry: string): object {
  const { compilerOptions } = JSON.parse(readFileSync(`${root}tsconfig.json`, 'utf8')) as { readonly compilerOptions: object };
  return {
    compilerOptions: { ...compilerOptions, paths: {}, allowImportingTsExtensions: true },
    files: [`${scratch}/types/${entry}.d.ts`],
  };
}
