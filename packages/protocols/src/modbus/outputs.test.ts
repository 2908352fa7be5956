import { describe, expect, it } from "vitest";
import { toHex } from "../core/bytes.ts";
import type { CommandFunctions, CommandResult } from "../core/command.ts";
import { stepOf, type Conversation } from "../core/conversation.ts";
import type { DeviceOrder, Obedience } from "../core/orders.ts";
import { failureOf, talk, type TestLine } from "../core/testing/testLine.ts";
import { modbus } from "./driver.ts";
import type { ModbusVariant } from "./frame.ts";
import type { ModbusOutputs } from "./outputs.ts";

const device = { insideAddr: "17", deviceID: "" };
const outputs = {
  power: { coil: 0x10 },
  valve: { register: 0x200, on: 0xaa, off: 0x55 },
  limit: { address: 0x300, type: "f32", order: "CDAB" },
  setout: { first: 0x20, count: 4 },
  reset: { register: 0x400, value: 0x1234 },
} as const satisfies ModbusOutputs;

const driverOf = (variant: ModbusVariant, of: ModbusOutputs = outputs) =>
  modbus({
    variant,
    rows: [{ address: 0, table: "input", type: "f32", field: "voltage1", msgType: 2 }],
    outputs: of,
  });

/** A device that records its orders. */
function aPark(variant: ModbusVariant, obedience: Obedience = "obey") {
  const driver = driverOf(variant);
  const orders: DeviceOrder[] = [];
  const responder = driver.respond(
    device,
    () => 1,
    () => 0,
    undefined,
    (order) => {
      if (obedience === "obey") orders.push(order);
      return obedience;
    },
  );
  return {
    orders,
    responder,
    commands: driver.commands as Required<CommandFunctions>,
    ask<Result>(dialogue: Conversation<Result>, line: TestLine = {}): Result {
      return talk(dialogue, responder, line);
    },
  };
}

type Ask = (of: Required<CommandFunctions>) => Conversation<CommandResult>;
const changes: readonly (readonly [string, Ask, object, DeviceOrder])[] = [
  [
    "power",
    (of) => of.power(device, { power: 0 }),
    { power: 0, relay_state: 0 },
    { kind: "power", isOn: false },
  ],
  [
    "valve",
    (of) => of.valve(device, { valve: 0 }),
    { valve: 0, relay_state: 0 },
    { kind: "valve", isOpen: false },
  ],
  [
    "limit",
    (of) => of.limit(device, { limit: 7.5 }),
    { last_set_limit: 7.5 },
    { kind: "limit", limitKw: 7.5 },
  ],
  [
    "setout",
    (of) => of.setout(device, { setout: 1, out: 2 }),
    {},
    { kind: "output", number: 2, isOn: true, seconds: 0 },
  ],
];

describe.each(["rtu", "tcp"] as const)("commands over Modbus %s", (variant) => {
  it.each(changes)("CTRL-106: %s is done when the device reads as wanted", (_, ask, read, order) => {
    const park = aPark(variant);

    expect(park.ask(ask(park.commands))).toEqual({ state: "done", read });
    expect(park.orders).toEqual([order]);
  });

  it.each(changes)("%s that the device refuses is refused, with its exception", (_, ask) => {
    const park = aPark(variant, "refuse");

    expect(park.ask(ask(park.commands))).toMatchObject({ state: "refused", reason: { detail: 6 } });
  });

  it.each(changes)("CTRL-106: %s that a device acknowledges and does not carry out is not done", (_, ask) => {
    const park = aPark(variant, "lie");

    expect(park.ask(ask(park.commands))).toMatchObject({ state: "refused" });
  });

  it.each(changes)("CTRL-108: %s is sent once, whatever is lost", (key, ask) => {
    const lines = [1, 2, 3].flatMap((lost): TestLine[] => [
      { spoil: (reply, n) => (n === lost ? [] : [reply]) },
      { spoil: (reply, n) => (n >= lost ? [] : [reply]) },
      { loseRequest: (n) => n === lost },
    ]);

    for (const line of lines) {
      const park = aPark(variant);
      const result = park.ask(ask(park.commands), line);

      expect(park.orders.length, key).toBeLessThanOrEqual(1);
      if (result.state === "done") expect(park.orders).toHaveLength(1);
      if (result.state === "refused") expect(park.orders).toEqual([]);
    }
  });

  it("CTRL-023: a restart is sent; relay and limit are read", () => {
    const park = aPark(variant);

    expect(park.ask(park.commands.reset(device))).toEqual({ state: "done" });
    expect(park.orders).toEqual([{ kind: "restart" }]);
    expect(park.ask(park.commands.relay_state(device))).toEqual({ power: 1, relay_state: 1 });
    expect(park.ask(park.commands.limit_state(device))).toEqual({ last_set_limit: 15 });
  });
});

describe("the frames of outputs", () => {
  const firstFrame = (dialogue: Conversation<unknown>) => toHex(stepOf(dialogue.next()).send);
  const { power, valve, limit } = driverOf("rtu").commands as Required<CommandFunctions>;

  it("are those of functions 5, 6 and 16", () => {
    expect(firstFrame(power(device, { power: 1 }))).toMatch(/^11050010ff00/);
    expect(firstFrame(power(device, { power: 0 }))).toMatch(/^110500100000/);
    expect(firstFrame(valve(device, { valve: 1 }))).toMatch(/^1106020000aa/);
    expect(firstFrame(limit(device, { limit: 7.5 }))).toMatch(/^11100300000204000040f0/);
  });

  it("every byte is named", () => {
    const driver = driverOf("rtu");
    const park = aPark("rtu");
    for (const dialogue of [power(device, { power: 0 }), limit(device, { limit: 1 })]) {
      const { send } = stepOf(dialogue.next());
      const [received = new Uint8Array()] = park.responder.receive(send);
      const explained = driver.explain(send, received);

      for (const [spans, bytes] of [
        [explained.sent, send],
        [explained.received, received],
      ] as const) {
        expect(spans.reduce((sum, span) => sum + span.bytes, 0)).toBe(bytes.length);
        expect(spans.map(({ name }) => name)).not.toContain("not_named");
      }
    }
  });

  it("an echo of a single write is not taken for its execution", () => {
    const park = aPark("rtu", "lie");
    const echoing = {
      receive: (bytes: Uint8Array) => (bytes[1] === 5 ? [bytes] : park.responder.receive(bytes)),
    };

    expect(talk(park.commands.power(device, { power: 0 }), echoing)).toMatchObject({ state: "refused" });
  });

  it("what the map does not offer has no function, and an unknown output is refused before it is sent", () => {
    const park = aPark("rtu");

    expect(Object.keys(driverOf("rtu", {}).commands).toSorted()).toEqual([
      "now_value",
      "read_info",
      "tariff",
    ]);
    expect(failureOf(() => park.ask(park.commands.setout(device, { setout: 1, out: 4 })))).toMatchObject({
      kind: "unsupported",
    });
    expect(park.orders).toEqual([]);
  });
});

it("CTRL-024 a switch that only takes function 16 is written as one register of many, and read back", () => {
  const driver = driverOf("rtu", { power: { register: 0x1a, on: 1, off: 0, isMany: true } });
  const orders: DeviceOrder[] = [];
  const responder = driver.respond(
    device,
    () => 1,
    () => 0,
    undefined,
    (order) => {
      orders.push(order);
      return "obey";
    },
  );
  const sent: string[] = [];
  const noting = {
    receive: (bytes: Uint8Array) => {
      sent.push(toHex(bytes));
      return responder.receive(bytes);
    },
  };

  const dialogue = driver.commands.power?.(device, { power: 0 });
  if (!dialogue) throw new Error("no command");

  expect(talk(dialogue, noting)).toEqual({ state: "done", read: { power: 0, relay_state: 0 } });
  expect(sent[0]).toMatch(/^1110001a0001020000/);
  expect(orders).toEqual([{ kind: "power", isOn: false }]);
});
