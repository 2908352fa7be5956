import { describe, expect, it } from "vitest";
import { deviceDataOf, deviceEventOf } from "./events.ts";
import { connectAfterMs } from "./live.ts";

describe("messages of the socket", () => {
  it("NOTIF-010: the connection is opened 2 seconds after load", () => {
    expect(connectAfterMs).toBe(2000);
  });

  it("are accepted if valid", () => {
    expect(deviceDataOf({ device_id: 4, msgType: 7, from: 1, to: 2, more: true })).toEqual({
      device_id: 4,
      msgType: 7,
      from: 1,
      to: 2,
    });
    expect(deviceEventOf({ msg: "Крышка открыта", event: { id: 1 } })).toEqual({
      msg: "Крышка открыта",
      event: { id: 1 },
    });
  });

  it.each([
    null,
    "text",
    {},
    { device_id: "4", msgType: 7, from: 1, to: 2 },
    { device_id: 4, msgType: 7, from: 1 },
  ])("are ignored if invalid: %j", (payload) => {
    expect(deviceDataOf(payload)).toBeNull();
    expect(deviceEventOf(payload)).toBeNull();
  });
});
