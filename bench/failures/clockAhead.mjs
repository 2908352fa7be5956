// Preloaded into a server process, which then lives METRUM_BENCH_AHEAD_SEC seconds later than this machine.
const aheadMs = Number(process.env.METRUM_BENCH_AHEAD_SEC ?? 0) * 1000;
const Own = globalThis.Date;
const now = () => Own.now() + aheadMs;
globalThis.Date = class extends Own {
  constructor(...given) {
    if (given.length === 0) super(now());
    else super(...given);
  }
  static now() {
    return now();
  }
};
