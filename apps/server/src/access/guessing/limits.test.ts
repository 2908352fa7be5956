import fc from "fast-check";
import { expect, test } from "vitest";
import { standingOf, windowMs, withFailure } from "./limits.ts";

/** Failures within 15 minutes that need a captcha, and that lock (security rules 2.5 and 2.6). */
const rules = {
  account: { captcha: 3, lock: 10 },
  code: { captcha: Infinity, lock: 5 },
  address: { captcha: 10, lock: Infinity },
  network: { captcha: 10, lock: 40 },
  registrations: { captcha: 40, lock: 240 },
} as const;
const kinds = ["account", "code", "address", "network", "registrations"] as const;

/** Times between failures: at once, and such that a failure leaves the window with the last of them, or beside it. */
const pauses = (lock: number) => {
  const fitting = Math.floor(windowMs / Math.max(1, Math.min(lock, 12) - 1));
  return fc.oneof(
    fc.constantFrom(0, 1, fitting - 1, fitting, fitting + 1, windowMs - 1, windowMs, windowMs + 1),
    fc.nat(fitting),
  );
};

test.each(kinds)("LOGIN-027 the standing of a subject is that of a list of all its failures (%s)", (kind) => {
  const { captcha, lock } = rules[kind];
  fc.assert(
    fc.property(fc.array(pauses(lock), { maxLength: 60 }), (steps) => {
      const all: number[] = [];
      let stored: number[] = [];
      let now = 1_795_000_000_000;
      for (const pause of steps) {
        now += pause;
        const recent = all.filter((at) => at > now - windowMs);
        // A lock begins with the last of so many failures within a window, and lasts one.
        const isLocked = all.some(
          (at, index) =>
            index >= lock - 1 && at - (all[index - lock + 1] ?? 0) < windowMs && at > now - windowMs,
        );
        const standing = standingOf(kind, stored, now);

        expect(standing).toEqual({ captchaNeeded: recent.length >= captcha, locked: isLocked });
        // Who is locked out is not admitted, so nothing is counted.
        if (isLocked) continue;
        all.push(now);
        stored = withFailure(kind, stored, now);
      }
    }),
    { numRuns: 300 },
  );
});

test("LOGIN-027 failures of a clock that was ahead neither lock for as long nor hide those of now", () => {
  const now = 1_795_000_000_000;
  const ahead = Array.from({ length: 10 }, (_, n) => now + 2 * 3_600_000 + n);

  expect(standingOf("account", ahead, now)).toEqual({ captchaNeeded: false, locked: false });

  let stored: readonly number[] = ahead;
  for (let n = 0; n < 10; n++) stored = withFailure("account", stored, now + n);
  expect(standingOf("account", stored, now + 10)).toEqual({ captchaNeeded: true, locked: true });
});
