import { expect, test } from "vitest";
import { movableClock } from "#testing/clock";
import { createLog, loggedRequest } from "./log.ts";

const away = () => Object.assign(new Error("lost"), { code: "57P01" });

test("an unavailable database is logged once a minute, from any source, with the number of omitted lines", () => {
  const clock = movableClock();
  const lines: string[] = [];
  const log = createLog("warn", { write: (line) => void lines.push(line) }, clock);
  const logged = () => lines.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);

  for (let times = 0; times < 100; times++) {
    log.warn({ err: away(), times }, "an uplink waits");
    log.child({ request: 1 }).error(new Error("a poll failed", { cause: away() }));
  }
  expect(logged()).toMatchObject([{ msg: "an uplink waits", times: 0, skipped: 0 }]);
  clock.ahead += 60;
  log.warn({ err: away() }, "planning failed");
  expect(logged()).toMatchObject([{ msg: "planning failed", skipped: 199 }]);
});

test("any other failure meanwhile is logged every time", () => {
  const lines: string[] = [];
  const log = createLog("warn", { write: (line) => void lines.push(line) });

  for (let times = 0; times < 3; times++) {
    log.warn({ err: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) }, "a mail server refuses");
    log.warn("the licence does not hold");
    log.error(new Error("a fault of ours"));
  }

  expect(lines).toHaveLength(9);
});

test.each(["/api/auth/password/find/", "/api/auth/signup/activate/", "/api/x?token="])(
  "no token of a letter or session is in the request of a log line: %s",
  (path) => {
    const token = "Ab-_".repeat(11).slice(0, 43);

    const { url, method } = loggedRequest({ method: "GET", url: `${path}${token}`, ip: "192.0.2.1" });

    expect([method, url]).toEqual(["GET", `${path}[token]`]);
  },
);
