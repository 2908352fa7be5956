import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import type { DownlinkCommand } from "../core/command.ts";
import type { DeviceOrder, Obedience } from "../core/orders.ts";
import { vegaSi11 } from "./driver.ts";
import { si11Commands } from "./orders.ts";

const device = { insideAddr: "1", deviceID: "3b3b000018a000", impulseWeight: 1, startingValue: 0 };
const set = (given: Parameters<typeof si11Commands.vega_settings>[1]) =>
  si11Commands.vega_settings(device, given);

/** A simulated device that records what it carries out. */
function aDevice(obedience: Obedience = "obey") {
  const orders: DeviceOrder[] = [];
  const receive = vegaSi11().receive?.((order) => {
    if (obedience === "obey") orders.push(order);
    return obedience;
  });
  if (!receive) throw new Error("the device receives nothing");
  return { orders, give: ({ fport, payload }: DownlinkCommand) => receive({ fport, payload }) };
}

describe("settings of a Vega SI-11", () => {
  it("CTRL-059: are sent as number, length and value, little-endian", () => {
    const bytes = (given: Parameters<typeof set>[0]) => {
      const { fport, payload } = set(given);
      return [fport, toHex(payload)];
    };

    expect(bytes({ is_confirmed: true })).toEqual([3, "0004000101"]);
    expect(bytes({ is_confirmed: false })).toEqual([3, "0004000102"]);
    expect(bytes({ uplink_repeats: 3 })).toEqual([3, "0008000103"]);
    expect(bytes({ communication_period: 86_400 })).toEqual([3, "0010000104"]);
    expect(bytes({ collection_period: 900 })).toEqual([3, "0031000106"]);
    expect(bytes({ time_zone: -480 })).toEqual([3, "0037000220fe"]);
    expect(() => set({ communication_period: 600 })).toThrow("no period of 600 s");
  });

  it("CTRL-106: are done when the device shows them, and read on request", () => {
    const { orders, give } = aDevice();
    const command = set({ communication_period: 86_400 });
    const request = si11Commands.get_settings();
    const before = give(request);

    give(command);
    const [answer] = give(request);

    expect(orders).toEqual([{ kind: "set", name: "setting 16", value: [4] }]);
    expect(before.map(({ payload, fport }) => command.proof(payload, fport))).toEqual([undefined]);
    expect(command.then).toEqual({ fport: request.fport, payload: request.payload });
    expect(answer && command.proof(answer.payload, answer.fport)).toEqual({
      state: "done",
      read: { vega_settings: { communication_period: 86_400 } },
    });
    expect(answer && request.proof(answer.payload, answer.fport)).toEqual({
      state: "done",
      read: {
        vega_settings: {
          is_confirmed: false,
          uplink_repeats: 1,
          communication_period: 86_400,
          collection_period: 3600,
          time_zone: 0,
        },
      },
    });
  });

  it("CTRL-106: the period is also proved by the settings byte of a packet, any other by nothing there", () => {
    const hourly = fromHex(
      "0162060000b8196915 10270000 01000000 00000000 ffffffff".replace("0162060000", "01620600"),
    );

    expect(set({ communication_period: 3600 }).proof(hourly, 2)).toMatchObject({ state: "done" });
    expect(set({ communication_period: 300 }).proof(hourly, 2)).toBeUndefined();
    expect(set({ uplink_repeats: 1 }).proof(hourly, 2)).toBeUndefined();
    expect(set({ uplink_repeats: 1 }).proof(fromHex("ff"), 9)).toBeUndefined();
  });

  it.each(["refuse", "lie"] as const)(
    "a device that does not carry them out (%s) proves nothing",
    (obedience) => {
      const { orders, give } = aDevice(obedience);
      const command = set({ uplink_repeats: 9 });

      const uplinks = [...give(command), ...give(si11Commands.get_settings())];

      expect(orders).toEqual([]);
      expect(uplinks.map(({ payload, fport }) => command.proof(payload, fport))).toEqual([undefined]);
    },
  );

  it("CTRL-062: bytes of a user are sent unchanged, to a port of the application", () => {
    const raw = (fport: number) =>
      si11Commands.send_raw_payload(device, { payload: "01FF", fport, class: "A" });

    expect(raw(3)).toMatchObject({ fport: 3, payload: Uint8Array.of(1, 255) });
    expect(raw(3)).not.toHaveProperty("proof");
    expect(() => raw(0)).toThrow("belongs to the network");
    expect(() => raw(224)).toThrow("belongs to the network");
  });

  it("CTRL-065: bytes of a user are for a device that listens after its uplinks (A) or always (C)", () => {
    const raw = (deviceClass: "A" | "C") =>
      si11Commands.send_raw_payload(device, { payload: "01", fport: 3, class: deviceClass });

    expect(raw("A").listensAlways).toBeUndefined();
    expect(raw("C").listensAlways).toBe(true);
  });

  it("every byte of an order is named", () => {
    const driver = vegaSi11();
    for (const { payload, fport } of [set({ time_zone: 480 }), si11Commands.get_settings()]) {
      const spans = driver.explain(payload, fport);

      expect(spans.reduce((sum, span) => sum + span.bytes, 0)).toBe(payload.length);
    }
  });
});
