import { describe, expect, test } from "vitest";
import { toHex } from "../core/bytes.ts";
import { rawLine } from "../core/rawLine.ts";
import type { Obedience, TakeOrder } from "../core/orders.ts";
import { failureOf, talk } from "../core/testing/testLine.ts";
import { modbusRouter } from "./router.ts";

const device = { insideAddr: "", deviceID: "" };
const router = modbusRouter({
  uptime: 1,
  signal: 3,
  temperature: 5,
  outputs: { first: 201, count: 1 },
  mobileData: 204,
  restart: 206,
});
const { commands } = router;

function aRouter(does: Obedience = "obey") {
  const orders: unknown[] = [];
  const takeOrder: TakeOrder = (order) => {
    orders.push(order);
    return does;
  };
  return {
    orders,
    meter: router.respond(
      device,
      () => 0,
      () => 1_770_000_000,
      undefined,
      takeOrder,
    ),
  };
}
const run = <Result>(dialogue: Parameters<typeof talk<Result>>[0] | undefined, to = aRouter()) => {
  if (!dialogue) throw new Error("no such command");
  return talk(dialogue, to.meter);
};

describe("a router by Modbus TCP", () => {
  test("GWCTRL-002 tells each of its parameters", () => {
    expect([
      run(commands.uptime?.(device)),
      run(commands.signal_level?.(device)),
      run(commands.board_temperature?.(device)),
    ]).toEqual([
      { gateway_settings: { uptime: 864_000 } },
      { gateway_settings: { signal_level: -71 } },
      { gateway_settings: { board_temperature: 38.5 } },
    ]);
  });

  test("GWCTRL-001 GWCTRL-011 GWCTRL-016 restarts, switches its output and its mobile data, by one write each", () => {
    const own = aRouter();
    const sent: string[] = [];
    const recorded = {
      ...own,
      meter: {
        receive(bytes: Uint8Array) {
          sent.push(toHex(bytes));
          return own.meter.receive(bytes);
        },
      },
    };

    const results = [
      run(commands.reset?.(device), recorded),
      run(commands.setout?.(device, { setout: 1, out: 1 }), recorded),
      run(commands.mts_activate?.(device), recorded),
    ];

    expect(results).toEqual([{ state: "done" }, { state: "done" }, { state: "done" }]);
    expect(own.orders).toEqual([
      { kind: "restart" },
      { kind: "output", number: 1, isOn: true, seconds: 0 },
      { kind: "set", name: "mobile_data", value: true },
    ]);
    // Function 6, register, value 1; the head is transaction, protocol 0, length 6, unit 1.
    expect(sent.map((each) => each.slice(4))).toEqual([
      "00000006010600ce0001",
      "00000006010600c90001",
      "00000006010600cc0001",
    ]);
  });

  test("has no other output and no timer", () => {
    const failures = [
      failureOf(() => commands.setout?.(device, { setout: 1, out: 2 })),
      failureOf(() => commands.setout?.(device, { setout: 1, out: 1, duration: 5 })),
    ];

    expect(failures).toMatchObject([{ kind: "unsupported" }, { kind: "unsupported" }]);
  });

  test("that refuses has refused, and one that does not answer leaves the outcome unknown", () => {
    expect(run(commands.reset?.(device), aRouter("refuse"))).toMatchObject({ state: "refused" });
    const reset = commands.reset?.(device);
    expect(reset && talk(reset, aRouter().meter, { spoil: () => [] })).toMatchObject({ state: "unknown" });
  });
});

describe("GWCTRL-003 bytes of a user through a transparent gateway", () => {
  const send = (answer: readonly number[]) => {
    const sent: string[] = [];
    const dialogue = rawLine.commands.bytes?.(device, { bytes: "0A0b" });
    const result =
      dialogue &&
      talk(dialogue, {
        receive(bytes) {
          sent.push(toHex(bytes));
          return answer.length > 0 ? [Uint8Array.from(answer)] : [];
        },
      });
    return { sent, result };
  };

  test("are sent unchanged and once, and are done with what answers", () => {
    expect(send([1, 255])).toEqual({
      sent: ["0a0b"],
      result: { state: "done", read: { raw_answer: "01ff" } },
    });
  });

  test("have an unknown outcome without an answer", () => {
    expect(send([])).toMatchObject({ sent: ["0a0b"], result: { state: "unknown" } });
  });
});
