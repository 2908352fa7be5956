// @vitest-environment happy-dom
import type { ExchangeStep } from "@metrum/contract/headend";
import { expect, it, vi } from "vitest";
import { startSession } from "#lib/token";
import { answer } from "#testing/browser.ts";
import { button, click, draw, found, says, useScreen } from "#testing/dom.tsx";
import { PollLog } from "./PollLog.tsx";

useScreen("deviceData", "trace");

const start = Date.UTC(2026, 10, 20) / 1000;

interface Asked {
  readonly page?: number;
  readonly outcome?: string;
  readonly id?: number;
}

const aStep = (label: ExchangeStep["label"], nth = 1): ExchangeStep => ({
  label,
  try: nth,
  tries: 3,
  at_ms: 10,
  answered_ms: 20,
  ended_ms: 30,
  sent: "0a",
  received: "0b",
  error: null,
  sent_spans: [],
  received_spans: [],
});
/** The last one as exchanges were stored before their steps had codes. */
const steps = [
  aStep({ code: "open_channel", level: 1 }),
  aStep({ code: "read", what: "voltage" }),
  aStep({ code: "read", what: "voltage" }, 2),
  aStep("Read energy, period 0, month 0, tariff 3"),
];

/** 120 exchanges, three to a page of the answer, of which 7 took more than one try and 4 failed. */
function answerLog(asked: Asked) {
  const { page = 1 } = asked;
  const total = asked.outcome === "failed" ? 4 : asked.outcome === "retried" ? 7 : 120;
  const row = (at: number) => ({
    id: (start + at) * 1000,
    device_task_id: null,
    device_id: 7,
    type_id: 1,
    result_code: asked.outcome === "failed" ? 1 : 0,
    message: "",
    created_at: start + at,
    received_at: null,
    duration_ms: 40,
    tries: 1,
    readings: 1,
    line: "tcp:10.0.0.1:502",
    repeats: 0,
    last_at: start + at,
    ...(asked.id === undefined ? {} : { steps }),
  });
  return answer({
    logs: {
      data: [2, 1, 0].map((at) => row(at + 100 * page)),
      current_page: page,
      last_page: Math.ceil(total / 50),
      per_page: 50,
      total,
    },
    counts: { retried: 7, failed: 4 },
    expired_before: null,
  });
}

async function open() {
  const asked: Asked[] = [];
  vi.stubGlobal("fetch", async (address: string, init: RequestInit) => {
    const body = (await new Request(new URL(address, "http://metrum.example"), {
      ...init,
      signal: null,
    }).json()) as Asked;
    asked.push(body);
    return answerLog(body);
  });
  startSession("token");
  const range = { start, end: start + 86_399 };
  await draw(<PollLog deviceId={7} range={range} zone="Asia/Ulaanbaatar" resource="electricity" />);
  await found(() => says("120 exchanges"));
  return asked;
}

it("retried and failed exchanges are counted over the whole period, not over the page", async () => {
  await open();

  expect(button("With retries 7")).toBeDefined();
  expect(button("Failed 4")).toBeDefined();
});

it("an outcome filter is applied by the server, from the first page, and shows matches of all pages", async () => {
  const asked = await open();
  await found(() => !button("Older").disabled);
  await click(button("Older"));
  await found(() => says("2 / 3"));

  await click(button("Failed 4"));

  await found(() => says("4 exchanges"));
  expect(asked.filter(({ id }) => id === undefined).at(-1)).toMatchObject({ page: 1, outcome: "failed" });
  expect(says("No answer")).toBe(true);
  expect(button("With retries 7")).toBeDefined();
});

it("the steps of an exchange are translated by their codes, old ones shown as stored", async () => {
  await open();

  await found(() => says("Open the channel, level 1"));
  const questions = [...document.querySelectorAll(".log-steps li")].map(({ textContent }) => textContent);
  expect(questions).toHaveLength(3);
  expect(questions[1]).toContain("Read: voltage");
  expect(questions[2]).toContain("Read energy, period 0, month 0, tariff 3");
});
