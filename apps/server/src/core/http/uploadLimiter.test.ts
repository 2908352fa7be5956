import fc from "fast-check";
import { expect, test } from "vitest";
import { systemClock } from "../time/clock.ts";
import { createUploadLimiter } from "./uploadLimiter.ts";

const [first, second] = [1, 2];
const mebibyte = 1024 * 1024;

/** A limiter that sees uploads which arrive at once. */
function limiterOf(bytesPerMinute: number) {
  let nowMs = 0;
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  const limiter = createUploadLimiter(clock, bytesPerMinute);
  return {
    ...limiter,
    pass: (sec: number) => (nowMs += sec * 1000),
    upload: (companyId: number, bytes: number) => {
      const waitSec = limiter.begin({ companyId, bytes });
      if (waitSec === 0) limiter.end({ companyId, bytes });
      return waitSec;
    },
  };
}

test("a company may send its allowance at once and again in each minute; every company has its own", () => {
  const { upload, pass } = limiterOf(60);

  expect([upload(first, 40), upload(first, 20)]).toEqual([0, 0]);
  expect(upload(first, 10)).toBe(10);
  expect(upload(second, 60)).toBe(0);

  pass(9);
  expect(upload(first, 10)).toBe(1);
  pass(1);
  expect(upload(first, 10)).toBe(0);
});

test("a refused upload is not counted, and idle time accumulates at most a minute", () => {
  const { upload, pass } = limiterOf(60);

  upload(first, 60);
  for (let n = 0; n < 5; n++) expect(upload(first, 30)).toBe(30);
  pass(3600);

  expect([upload(first, 60), upload(first, 1)]).toEqual([0, 1]);
});

test("an upload larger than the allowance of a minute is accepted after a full idle minute", () => {
  const { upload, pass } = limiterOf(60);

  expect(upload(first, 61)).toBe(0);
  expect(upload(first, 61)).toBe(60);
  pass(60);
  expect(upload(first, 61)).toBe(0);
});

test("large uploads of a company are read one at a time, waiting uses no allowance, and small ones never wait", () => {
  const { begin, end } = limiterOf(60 * mebibyte);
  const large = { companyId: first, bytes: 30 * mebibyte };
  const small = { companyId: first, bytes: 1024 };

  expect([begin(large), begin(large), begin(small), begin({ ...large, companyId: second })]).toEqual([
    0, 1, 0, 0,
  ]);
  end(small);
  expect(begin(large)).toBe(1);
  end(large);
  expect(begin({ ...large, bytes: large.bytes - small.bytes })).toBe(0);
});

test("the waiting time of an upload is the first second at which it is accepted", () => {
  const most = 60;
  const step = fc.record({
    companyId: fc.constantFrom(first, second),
    bytes: fc.oneof(fc.constantFrom(most - 1, most, most + 1), fc.integer({ min: 1, max: most })),
    waitSec: fc.oneof(fc.constant(0), fc.constantFrom(59, 60, 61), fc.nat(20)),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { upload, pass } = limiterOf(most);
      // A byte a second comes back.
      const credit = new Map([first, second].map((each) => [each, most]));
      const rest = (sec: number): void => {
        pass(sec);
        for (const [each, left] of credit) credit.set(each, Math.min(most, left + sec));
      };
      for (const { companyId, bytes, waitSec } of steps) {
        rest(waitSec);
        const missing = Math.max(0, Math.min(bytes, most) - (credit.get(companyId) ?? 0));
        expect(upload(companyId, bytes)).toBe(missing);
        if (missing > 1) {
          rest(missing - 1);
          expect(upload(companyId, bytes)).toBe(1);
        }
        if (missing > 0) {
          rest(1);
          expect(upload(companyId, bytes)).toBe(0);
        }
        credit.set(companyId, Math.max(0, (credit.get(companyId) ?? 0) - bytes));
      }
    }),
  );
});
