import { captcha as table } from "@metrum/contract/access";
import { serve, startRounds, type Api, type Domain, type Services, type Stop } from "#core";
import { makeCaptcha } from "./captcha.ts";
import { removeOld } from "./store.ts";

export { refusalOfCaptcha, type Answered } from "./captcha.ts";

export const captcha: Domain = { name: "captcha", calls: serveCaptcha, worker: sweepCaptchas };

function serveCaptcha(api: Api): void {
  serve(api, table, { get: (_, { database, clock }) => makeCaptcha(database.system, clock.nowMs()) });
}

const sweepEveryMs = 300_000;

/** Unanswered captchas are deleted every five minutes. */
function sweepCaptchas({ database, clock, log }: Services): Stop {
  return startRounds({
    everyMs: sweepEveryMs,
    round: () => removeOld(database.system, clock.nowMs()),
    onError: (error) => log.warn({ err: error }, "old captchas were not removed"),
  }).stop;
}
