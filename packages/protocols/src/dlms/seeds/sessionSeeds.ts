import { isReservation, type Conversation } from "../../core/conversation.ts";
import { ByteWriter } from "../../core/bytes.ts";
import type { DeviceAddress, PollRequest } from "../../core/driver.ts";
import { ProtocolError } from "../../core/errors.ts";
import type { FuzzTarget } from "../../core/fuzz/fuzz.ts";
import { dlms, type DlmsDriver } from "../driver.ts";
import type { DlmsOptions } from "../options.ts";

/** Time of the simulated meter; its values follow the clock. */
const now = 1_795_176_600;
const device: DeviceAddress = { insideAddr: "1", deviceID: "1", password: "00000000" };

const options = {
  transport: "wrapper",
  client: 32,
  authentication: { kind: "lls" },
  server: { logical: 1, bytes: 1, physical: "none" },
  resource: "electricity",
  registers: [
    { msgType: 1, obis: "1.0.1.8.0.255", field: "tariff0" },
    { msgType: 2, obis: "1.0.32.7.0.255", field: "voltage1" },
  ],
  profiles: [
    {
      msgType: 5,
      obis: "1.0.99.1.0.255",
      columns: [{ obis: "1.0.1.4.0.255", field: "power_a_plus" }],
      period: "asked",
      rowsAtOnce: 8,
    },
  ],
  journals: [{ obis: "0.0.99.98.2.255", name: "power" }],
  clock: { utcOffsetMinutes: 0 },
  // Every answer is accepted, so that mutated ones are read and not ignored.
  fixedInvokeId: 1,
  limits: { tries: 1 },
} as const satisfies DlmsOptions;

/** Answers that are left unchanged: association. */
const untouched = 1;

/** Runs a poll with the simulated meter; its answers after the association pass through `change`. */
function hold<Result>(
  driver: DlmsDriver,
  dialogue: Conversation<Result>,
  change: (answer: Uint8Array) => Uint8Array,
): Result {
  const meter = driver.respond(
    device,
    (field) => field.length,
    () => now,
    (at) => () => at / 3600,
  );
  let turn = dialogue.next();
  for (let count = 0; !turn.done; count++) {
    const step = turn.value;
    if (isReservation(step)) {
      turn = dialogue.next(new ByteWriter(4).u32be(step.atLeast).finish());
      continue;
    }
    try {
      const [answer = new Uint8Array(0)] = meter.receive(step.send);
      const received = count < untouched ? answer : change(answer);
      const match = step.match?.(received);
      if (match?.state !== "frame") throw new ProtocolError("timeout", "no answer");
      const skip = match.skip ?? 0;
      turn = dialogue.next(received.subarray(skip, skip + match.length));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      turn = dialogue.throw(error);
    }
  }
  return turn.value;
}

const requests: readonly (readonly [name: string, PollRequest])[] = [
  ["now", { kind: "now" }],
  ["profile", { kind: "archive", msgType: 5, from: now - 20_000, to: now }],
  ["journal", { kind: "archive", msgType: 7, from: now - 20_000, to: now }],
];

function targetOf([name, request]: (typeof requests)[number]): FuzzTarget {
  const driver = dlms(options);
  const seeds: Uint8Array[] = [];
  hold(driver, driver.poll(request, device), (answer) => {
    seeds.push(answer);
    return answer;
  });
  return {
    name: `dlms-session-${name}`,
    isDialogue: true,
    seeds,
    decode: (bytes) => hold(driver, driver.poll(request, device), () => bytes),
  };
}

/** The client's dialogue with mutated answers: whatever the meter sends, only ProtocolError may be thrown. */
export const dlmsSessionFuzz: readonly FuzzTarget[] = requests.map(targetOf);
