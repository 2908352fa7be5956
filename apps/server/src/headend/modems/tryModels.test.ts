import { meterModels } from "@metrum/catalogue";
import { toHex, type DeviceAddress, type Responder } from "@metrum/protocols/core";
import { describe, expect, it } from "vitest";
import { systemClock } from "#core";
import type { Channel } from "#headend/channels";
import { trialAddress } from "./trials.ts";
import { tryModels } from "./tryModels.ts";

/** A line with one meter on it; records sent bytes. */
function lineTo(meter: Responder) {
  let listener: Parameters<Channel["listen"]>[0];
  const sent: string[] = [];
  const channel: Channel = {
    isOpen: true,
    roundTripMs: 0,
    gapMs: 0,
    echoes: false,
    listen: (next) => (listener = next),
    onClose: () => () => undefined,
    close: () => undefined,
    write(bytes) {
      sent.push(toHex(bytes));
      const replies = meter.receive(bytes);
      setTimeout(() => {
        for (const each of replies) void listener?.(each);
      }, 0);
      return Promise.resolve();
    },
  };
  return { channel, sent };
}

function simulated(protocol: string, device: DeviceAddress) {
  const model = meterModels.find(
    ({ driver, resource, fields }) =>
      driver.kind === "line" &&
      driver.protocol === protocol &&
      resource === "electricity" &&
      fields.includes("voltage3"),
  );
  if (model?.driver.kind !== "line") throw new Error(`no three-phase meter speaks ${protocol}`);
  const state = (field: string) => (field.startsWith("voltage") ? 230 : 1);
  return { model, ...lineTo(model.driver.respond(device, state, () => systemClock.now())) };
}

const patience = { sessionMs: 40_000 };

describe("models are tried behind an unknown modem", () => {
  it("a Mercury is found by the test of its channel: no password reaches it", async () => {
    const { model, channel, sent } = simulated("mercury230", { insideAddr: "23", deviceID: "00412023" });

    const found = await tryModels({ clock: systemClock }, channel, patience);

    expect(found).toMatchObject({ model: { id: model.id }, readings: [] });
    // Code 01 opens a channel.
    expect(sent.filter((hex) => hex.startsWith("0001"))).toEqual([]);
  });

  it("a DLMS meter returns its number to the public client, and no model is guessed", async () => {
    const { channel, sent } = simulated("dlms", { insideAddr: "16", deviceID: "41200042" });

    const found = await tryModels({ clock: systemClock }, channel, patience);

    expect(found).toMatchObject({ model: undefined, title: "DLMS/COSEM", facts: { serial: "41200042" } });
    // An authentication value of six bytes: the password of the reader.
    expect(sent.filter((hex) => hex.includes("8006313131313131"))).toEqual([]);
  });

  it("a meter with IEC 62056-21 is recognised by its identification, with its version", async () => {
    const { model, channel, sent } = simulated("iec62056-21", { insideAddr: "", deviceID: "12345678" });

    const found = await tryModels({ clock: systemClock }, channel, patience);

    expect(found).toMatchObject({ model: { id: model.id }, facts: { version: "11" } });
    // 01 50 31: P1, the password.
    expect(sent.filter((hex) => hex.startsWith("015031"))).toEqual([]);
  });

  it("a Modbus meter is read, because it has no password", async () => {
    const { model, channel } = simulated("modbus-rtu", { insideAddr: "1", deviceID: "1" });

    const found = await tryModels({ clock: systemClock }, channel, patience);

    expect(found.model?.id).toBe(model.id);
    expect(found.readings.length).toBeGreaterThan(0);
  });

  it("silence is a time-out", async () => {
    const { channel } = lineTo({ receive: () => [] });

    await expect(tryModels({ clock: systemClock }, channel, { sessionMs: 3000 })).rejects.toThrow(
      /nothing answers/,
    );
  });
});

it("a model that is given by name has the address at which its protocol is tried", () => {
  const addressOf = (title: string) =>
    trialAddress(meterModels.find((each) => each.title === title)?.id ?? 0);

  expect(["CE303", "SDM630-Modbus"].map(addressOf)).toEqual(["", "1"]);
  expect([trialAddress(122), trialAddress(0)]).toEqual(["0", undefined]);
});
