import { pollResults, tasks, type ExchangeOutcome } from "@metrum/contract/headend";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { makeFixture } from "#testing/records";
import { logExchanges, type ExchangeRow } from "./logStore.ts";

const start = Date.UTC(2026, 10, 20) / 1000;

const exchangeOf = (deviceId: number, minute: number, more: Partial<ExchangeRow> = {}): ExchangeRow => ({
  deviceId,
  startedMs: (start + minute * 60) * 1000,
  receivedAt: start + minute * 60,
  kind: "poll",
  result: "ok",
  tries: 1,
  durationMs: 40,
  line: "tcp:10.0.0.1:502",
  readings: 1,
  message: "",
  taskId: null,
  steps: [],
  ...more,
});

let api: TestApi;
let deviceId: number;
beforeAll(async () => {
  api = await openTestApi();
  deviceId = (await makeFixture(api)).ours.device;
  const minutes = Array.from({ length: 30 }, (_, minute) => minute);
  await logExchanges(api.services.database.system, [
    ...minutes.map((minute) => exchangeOf(deviceId, minute, { tries: minute < 12 ? 2 : 1 })),
    ...minutes
      .slice(0, 11)
      .map((minute) => exchangeOf(deviceId, 100 + minute, { result: "timeout", tries: 3 })),
    exchangeOf(deviceId, 3000, { result: "timeout" }),
  ]);
});
afterAll(() => api.close());

async function page(outcome?: ExchangeOutcome, number = 1) {
  const { data } = await api.ask(tasks.logs, {
    token: await api.token("engineer@metrum.example"),
    input: {
      body: {
        device_id: deviceId,
        start_date: start,
        stop_date: start + 86_399,
        page: number,
        per_page: 10,
        ...(outcome ? { outcome } : {}),
      },
    },
  });
  return data;
}

test("retried and failed exchanges are counted over the whole period, on every page and under each outcome", async () => {
  const answers = [await page(), await page(undefined, 3), await page("retried"), await page("failed", 2)];

  expect(answers.map(({ counts }) => counts)).toEqual(answers.map(() => ({ retried: 23, failed: 11 })));
  expect(answers.map(({ logs }) => [logs.total, logs.last_page])).toEqual([
    [41, 5],
    [41, 5],
    [23, 3],
    [11, 2],
  ]);
});

test("filtering by outcome returns its exchanges of all pages, newest first", async () => {
  const [first, second] = [await page("failed"), await page("failed", 2)];

  const rows = [...first.logs.data, ...second.logs.data];
  expect(rows.map(({ created_at }) => (created_at - start) / 60)).toEqual(
    Array.from({ length: 11 }, (_, at) => 110 - at),
  );
  expect(rows.every(({ result_code }) => result_code === pollResults.timeout.id)).toBe(true);
});
