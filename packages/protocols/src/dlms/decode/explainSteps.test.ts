import { expect, it } from "vitest";
import type { Conversation, Responder } from "../../core/conversation.ts";
import type { SpokenStep } from "../../core/driver.ts";
import type { Reading } from "../../core/reading.ts";
import { dlms } from "../driver.ts";
import { aMeter, device, options } from "../testing/testMeter.ts";
import { codeOf } from "../../core/spans.ts";
import type { Span } from "../../core/bytes.ts";
import { talk } from "../../core/testing/testLine.ts";

/** The steps of a poll over a line of short frames. */
function stepsOf(poll: Conversation<Reading[]>, meter: Responder): SpokenStep[] {
  const steps: SpokenStep[] = [];
  talk(poll, {
    ...meter,
    receive: (sent) => {
      const replies = meter.receive(sent);
      steps.push({ sent, received: Uint8Array.from(replies.flatMap((each) => [...each])) });
      return replies;
    },
  });
  return steps;
}

const of = options();
const driver = dlms(of);
const steps = stepsOf(driver.poll({ kind: "now" }, device), aMeter(of, { maxInfo: 16 }));

const names = (spans: readonly Span[]): string[] => spans.map(({ name }) => codeOf(name));
const parts = (list: readonly SpokenStep[]) =>
  driver
    .explainDialogue?.(list)
    .flatMap(({ received }) => names(received))
    .filter((name) => name === "message_part").length;

it("names every byte of messages whose frames are requested one by one", () => {
  const alone = steps.flatMap(({ sent, received }) => names(driver.explain(sent, received).received));
  expect(alone.filter((name) => name === "message_part").length).toBeGreaterThan(2);

  const together = driver.explainDialogue?.(steps) ?? [];

  expect(parts(steps)).toBe(0);
  together.forEach(({ sent, received }, at) => {
    expectNoHoles(sent, steps[at]?.sent.length ?? 0);
    expectNoHoles(received, steps[at]?.received.length ?? 0);
  });
});

it("a repeated frame is joined once, and an incomplete message is shown as a part", () => {
  const isPart = ({ received }: SpokenStep) =>
    names(driver.explain(received, received).sent).includes("message_part");
  const first = steps.findIndex(isPart);
  const doubled = steps.toSpliced(first, 0, ...steps.slice(first, first + 1));
  const cut = steps.slice(0, first + 1);

  expect(parts(doubled)).toBe(1);
  expect(parts(cut)).toBe(1);
});

function expectNoHoles(spans: readonly { offset: number; bytes: number }[], length: number): void {
  let at = 0;
  for (const span of spans) {
    expect(span.offset).toBe(at);
    at += span.bytes;
  }
  expect(at).toBe(length);
}
