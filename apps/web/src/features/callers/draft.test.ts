import type { InboxEntry } from "@metrum/contract/headend";
import { describe, expect, it } from "vitest";
import { bodyOf, draftOf, isWhole, noSettings } from "./draft.ts";

describe("registering an inbox entry", () => {
  const modem: InboxEntry = {
    kind: "modem",
    identity: "861503047120932",
    port: 7001,
    way: "imei",
    is_online: true,
    ip_address: "10.0.0.1",
    first_at: null,
    last_at: 1_795_000_000,
    count: null,
    company_id: null,
    company_name: null,
    model_id: 101,
    inside_addr: "0",
  };

  it("is filled in from the known data, so that only a company must be chosen", () => {
    const draft = draftOf(modem, "");

    expect([isWhole(modem, draft), isWhole(modem, { ...draft, company: "7" })]).toEqual([false, true]);
    expect(bodyOf(modem, { ...draft, company: "7" })).toEqual({
      kind: "modem",
      identity: modem.identity,
      name: modem.identity,
      company_id: 7,
      model_id: 601,
      meter: { model_id: 101, name: modem.identity, deviceID: modem.identity, inside_addr: "0" },
    });
  });

  it("assigns a network device to the company of its credentials, and needs a model", () => {
    const device: InboxEntry = { ...modem, kind: "device", company_id: 9, model_id: null, inside_addr: null };
    const draft = draftOf(device, "7");

    expect([isWhole(device, draft), isWhole(device, { ...draft, meter: "301" })]).toEqual([false, true]);
    expect(bodyOf(device, { ...draft, meter: "301" })).toMatchObject({ company_id: 9, model_id: 301 });
  });

  it("sends the settings of the meter, without empty ones", () => {
    const device: InboxEntry = { ...modem, kind: "device", company_id: 9, model_id: null, inside_addr: null };
    const settings = { ...noSettings, encryption: "00 11", impulse_weight: 0.001, minutes: 30 };
    const expected = { keys: { encryption: "00 11" }, impulse_weight: 0.001, report_period_update: 1800 };

    const alone = bodyOf(device, { ...draftOf(device, ""), meter: "301", ...settings });
    const behind = bodyOf(modem, { ...draftOf(modem, "7"), ...settings, password: "111111" });

    expect(alone).toEqual({
      kind: "device",
      identity: device.identity,
      name: device.identity,
      company_id: 9,
      model_id: 301,
      ...expected,
    });
    expect(behind.meter).toMatchObject({ ...expected, password: "111111" });
    expect(Object.keys(behind)).not.toContain("password");
  });
});
