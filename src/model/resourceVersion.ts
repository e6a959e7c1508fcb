/**
 * Resource versions are text. Those of one resource type can be compared when both are decimal
 * without a leading zero (KEP-5504, stable in Kubernetes 1.35): the longer is the greater, equal
 * lengths compare as text. They outgrow the exact integers of a number, so they never become one.
 */

/** Opaque text from the server; see `isDecimal` for the form that has an order. */
export type ResourceVersion = string;

const zero = 48;
const nine = 57;

/** True if the version has an order. "0" and "" are not versions: both mean "any" to the server. Asked several times per event. */
export function isDecimal(version: ResourceVersion): boolean {
  for (let at = 0; at < version.length; at++) {
    const digit = version.charCodeAt(at);
    if (digit < zero || digit > nine) return false;
  }
  return version !== '' && version.charCodeAt(0) !== zero;
}

/** Orders two decimal versions: below zero if `a` is older, zero if equal, above zero if newer. */
export function compareVersions(a: ResourceVersion, b: ResourceVersion): number {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** True if `version` is at or before `position`; for opaque versions only if they are equal. */
export function isAtOrBefore(version: ResourceVersion, position: ResourceVersion): boolean {
  if (version === position) return true;
  return isDecimal(version) && isDecimal(position) && compareVersions(version, position) < 0;
}

/** True if both have an order and `version` is older than `position`. */
export function isBefore(version: ResourceVersion, position: ResourceVersion): boolean {
  return version !== position && isAtOrBefore(version, position);
}
