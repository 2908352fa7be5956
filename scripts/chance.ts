import fc from "fast-check";

/**
 * A run of the tests generates the same cases each time, so that whatever fails fails again: METRUM_SEED sets
 * others, a number or `random`. No time limit of a test ends a search for the smallest case, which blocks its
 * thread: that search ends here. On a slow machine a property has fewer cases.
 */
const wanted = process.env["METRUM_SEED"];
const usual = 20_260_101;
const mostMs = 60_000;

if (wanted !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted ?? usual) });

/** Each file of tests runs this; all files of a worker have one fast-check. */
const installed = Symbol.for("metrum.properties end");
if (!(installed in globalThis)) {
  fc.installGlobalPlugin(fc.interruptAfterTimeLimit(mostMs));
  Object.assign(globalThis, { [installed]: true });
}
