import { describe, expect, it } from "vitest";
import type { DeviceAddress, MeterState } from "../core/driver.ts";
import { iec62056 } from "./driver.ts";
import { commandBlock, dataBlock } from "./message.ts";
import type { IecOptions } from "./options.ts";
import { bytesOf, textOf, withEvenParity } from "./text.ts";

const options: IecOptions = {
  ...{ access: "readout", manufacturer: "MTR", type: "SIM" },
  rows: [
    { obis: "1.8.0", field: "tariff0" },
    { obis: "32.7.0", field: "voltage1" },
  ],
};
const device: DeviceAddress = { insideAddr: "77", deviceID: "12345678" };
const state: MeterState = (field) => (field === "tariff0" ? 1234.5678 : 230.12348);
const now = Date.UTC(2026, 10, 22, 13, 5, 9) / 1000;

/** A meter, and what it answers to a text. */
function aMeter(of: Partial<IecOptions> = {}, at: Partial<DeviceAddress> = {}, shows: MeterState = state) {
  const meter = iec62056({ ...options, ...of }).respond({ ...device, ...at }, shows, () => now + 0.9);
  const ask = (text: string) => meter.receive(bytesOf(text)).map(textOf);
  return { meter, ask, baud: () => meter.baud?.() };
}
const command = (name: string, text?: string) => textOf(commandBlock(name, text));
const data = (text: string, isLast = true) => textOf(dataBlock(text, { isLast }));
const identification = "/MTR5SIM\r\n";
const [ack, nak] = ["\x06", "\x15"];
const reads: IecOptions["access"] = { reads: ["1.8.0()"] };

/** A meter in programming mode. */
function open(of: Partial<IecOptions> = {}, at: Partial<DeviceAddress> = {}) {
  const meter = aMeter({ access: reads, ...of }, at);
  meter.ask("/?!\r\n\x06051\r\n");
  return meter;
}

describe("the sign-on of the simulated meter", () => {
  it("is for it, for its serial number, or for anyone", () => {
    const answered = (address: string) => aMeter({}, { insideAddr: " 77 " }).ask(`/?${address}!\r\n`);

    for (const address of ["", "77", "12345678"])
      expect(answered(address), address).toEqual([identification]);
    for (const address of ["7", "777", " 77", "1"]) expect(answered(address), address).toEqual([]);
  });

  it("comes before all else, and ends what was before it", () => {
    const { ask, baud } = aMeter({ access: reads });

    expect([ask("\x06050\r\n"), ask(command("R1", "1.8.0()")), ask(ack), ask(data("x"))]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(baud()).toBe(300);
    expect(ask("/?!\r\n")).toEqual([identification]);
    expect(ask("\x06061\r\n")).toEqual([command("P0", "(12345678)")]);
    expect(baud()).toBe(19_200);
    expect(ask("\x06050\r\n")).toEqual([]);
    expect(ask("/?!\r\n")).toEqual([identification]);
    expect(baud()).toBe(300);
    ask("\x06071\r\n");
    expect(baud()).toBe(300);
  });

  it("arrives in pieces, behind noise, and glued to the next message", () => {
    const { ask } = aMeter();

    expect(["x\0/?", "!\r", "\n"].flatMap(ask)).toEqual([identification]);
    expect(ask("/?!\r\n\x06052\r\n")).toEqual([identification, "\x06252\r\n"]);
    expect(ask("y".repeat(2000))).toEqual([]);
    expect(ask("/?!\r\n")).toEqual([identification]);
    expect(ask(`/?${"z".repeat(600)}`)).toEqual([]);
    expect(ask("/?!\r\n")).toEqual([identification]);
  });

  it("has parity, in both directions, where the line has", () => {
    const { meter } = aMeter({ evenParity: true });

    expect(meter.receive(withEvenParity(bytesOf("/?!\r\n")))).toEqual([
      withEvenParity(bytesOf(identification)),
    ]);
  });
});

describe("the read-out of the simulated meter", () => {
  const lines = (of: Partial<IecOptions> = {}, shows?: MeterState, at: Partial<DeviceAddress> = {}) => {
    const [block = ""] = aMeter(of, at, shows).ask("/?!\r\n\x06050\r\n").slice(1);
    return block.slice(1, -2).split("\r\n");
  };

  it("has its number, its values to three or four decimals, and an end", () => {
    expect(lines()).toEqual(["0.0.0(12345678)", "1.8.0(1234.568*kWh)", "32.7.0(230.1235*V)", "!", ""]);
    expect(lines({}, () => Number.NaN).slice(1, 3)).toEqual(["1.8.0(0.000*kWh)", "32.7.0(0.0000*V)"]);
    expect(aMeter({ check: "sum" }).ask("/?!\r\n\x06050\r\n")[1]).toBe(
      textOf(dataBlock(lines().join("\r\n"), { check: "sum" })),
    );
  });

  it("has its clock in one line or in two, in its zone or in that of its device", () => {
    expect(lines({ clock: { stamp: "1.0.0" } })[1]).toBe("1.0.0(261122130509)");
    expect(lines({ clock: { date: "0.9.2", time: "0.9.1" }, utcOffsetMinutes: 60 }).slice(1, 3)).toEqual([
      ...["0.9.2(261122)", "0.9.1(140509)"],
    ]);
    expect(
      lines({ clock: { stamp: "1.0.0" }, utcOffsetMinutes: 60 }, state, { utcOffsetMinutes: -60 })[1],
    ).toBe("1.0.0(261122120509)");
  });

  it("has values in the unit of a row, which it does not name, and parts in their order", () => {
    const rows: IecOptions["rows"] = [
      { obis: "1.8.0", field: "tariff1", unit: "Wh" },
      { obis: "F", field: "tariff3", part: 1, index: 1 },
      { obis: "F", field: "tariff2", part: 0, index: 1 },
      { obis: "F", field: "tariff4", index: 3 },
    ];
    const shows: MeterState = (field) => Number(field.slice(-1));

    expect(lines({ rows }, shows).slice(1, -2)).toEqual([
      "1.8.0(1000.000)",
      "F()(2.000,3.000*kWh)()(4.000*kWh)",
    ]);
    expect(lines({ rows: rows.slice(1), layout: "lines" }, shows).slice(1, -2)).toEqual([
      ...["F()", "(2.000,3.000*kWh)", "()", "(4.000*kWh)"],
    ]);
    expect(lines({ rows: rows.slice(1), layout: "named_lines" }, shows).slice(1, -2)).toEqual([
      ...["F()", "F(2.000,3.000*kWh)", "F()", "F(4.000*kWh)"],
    ]);
  });

  it("has three months of billing values, two per cent less for each month past", () => {
    const rows: IecOptions["rows"] = [
      { obis: "1.8.0", field: "tariff0", isBilled: true },
      { obis: "1.8.1", field: "tariff1" },
    ];

    expect(lines({ rows, billing: { stamp: "0.1.2" } }, () => 100).slice(3, -2)).toEqual([
      ...["0.1.2*03(2611010000)", "1.8.0*03(98.000*kWh)"],
      ...["0.1.2*02(2610010000)", "1.8.0*02(96.000*kWh)"],
      ...["0.1.2*01(2609010000)", "1.8.0*01(94.000*kWh)"],
    ]);
  });
});

describe("the programming mode of the simulated meter", () => {
  it("gives values, and refuses addresses and commands that it does not have", () => {
    const { ask } = open();

    expect(ask(command("R1", "1.8.0()"))).toEqual([data("1.8.0(1234.568*kWh)\r\n")]);
    expect(ask(command("R1", "1.8.0(5)"))).toEqual([data("1.8.0(1234.568*kWh)\r\n")]);
    expect(ask(command("R1", "9.9.9()"))).toEqual([data("(ERR12)")]);
    expect(ask(command("R5", "1.8.0()"))).toEqual([data("(ERR12)")]);
    expect(ask(command("W1", "C.1(2)"))).toEqual([ack]);
    expect(ask(command("R1", "C.1()"))).toEqual([data("C.1(2)")]);
    expect(ask(command("W1", "1.8.0(7)"))).toEqual([ack]);
    expect(ask(command("R1", "1.8.0()"))).toEqual([data("1.8.0(7)")]);
  });

  it("ends with a break, which is not answered", () => {
    const { ask, baud } = open();

    expect(baud()).toBe(9600);
    expect(ask(command("B0"))).toEqual([]);
    expect(baud()).toBe(300);
    expect(ask(command("R1", "1.8.0()"))).toEqual([]);
  });

  it("asks again for what was damaged, and repeats its last message", () => {
    const { ask } = open();
    const damaged = command("R1", "1.8.0()").replace("8", "9");

    expect(ask(damaged)).toEqual([nak]);
    expect(ask(command("R1", "1.8.0()"))).toEqual([data("1.8.0(1234.568*kWh)\r\n")]);
    expect(ask(nak)).toEqual([data("1.8.0(1234.568*kWh)\r\n")]);
    expect(ask(`\x01X1\x03${String.fromCharCode(0x58 ^ 0x31 ^ 3)}`)).toEqual([]);
  });

  it("gives long values in parts of 200 characters, one for each acknowledgement", () => {
    const { ask } = open();
    const write = (text: string) => ask(command("W1", text));
    const value = (count: number) => `C.1(${"7".repeat(count - 5)})`;

    write(value(200));
    expect(ask(command("R1", "C.1()"))).toEqual([data(value(200))]);
    expect(ask(ack)).toEqual([]);
    write(value(401));
    expect(ask(command("R1", "C.1()"))).toEqual([data(value(401).slice(0, 200), false)]);
    expect(ask(ack)).toEqual([data(value(401).slice(200, 400), false)]);
    expect(ask(nak)).toEqual([data(value(401).slice(200, 400), false)]);
    expect(ask(ack)).toEqual([data(")")]);
    expect(ask(ack)).toEqual([]);
    ask(command("R1", "C.1()"));
    ask("/?!\r\n");
    expect(ask(ack)).toEqual([]);
  });

  it.each<[string, Partial<IecOptions>, Partial<DeviceAddress>]>([
    ["of its model", { access: { reads: [], password: "11" } }, {}],
    ["of its device", { access: { reads: [], password: "22" } }, { password: "11" }],
    ["of its device alone", {}, { password: "11" }],
  ])("is locked by the password %s", (_, of, at) => {
    const { ask } = open(of, at);

    expect(ask(command("R1", "1.8.0()"))).toEqual([data("(ERR15)")]);
    expect(ask(command("P1", "(12)"))).toEqual([data("(ERR11)")]);
    expect(ask(command("P1", "11"))).toEqual([data("(ERR11)")]);
    expect(ask(command("W1", "C.1(2)"))).toEqual([data("(ERR15)")]);
    expect(ask(command("P1", "(11)"))).toEqual([ack]);
    expect(ask(command("R1", "1.8.0()"))).toEqual([data("1.8.0(1234.568*kWh)\r\n")]);
  });

  it("without a password takes the empty one", () => {
    expect(open().ask(command("P1", "()"))).toEqual([ack]);
    expect(open().ask(command("P1", "(1)"))).toEqual([data("(ERR11)")]);
    expect(open({ access: "readout" }).ask(command("R1", "1.8.0()"))).toHaveLength(1);
  });

  it("refuses with bare numbers where its model does", () => {
    const { ask } = open({ hasBareErrors: true }, { password: "11" });

    expect(ask(command("R1", "1.8.0()"))).toEqual([data("(02)")]);
    expect(ask(command("P1", "(1)"))).toEqual([data("(03)")]);
    ask(command("P1", "(11)"));
    expect(ask(command("R1", "9.9.9()"))).toEqual([data("(01)")]);
  });

  it("closes its blocks with a sum where its model does", () => {
    const { ask } = open({ check: "sum" });
    const sum = (name: string, text: string) => textOf(commandBlock(name, text, "sum"));

    expect(ask(sum("R1", "1.8.0()"))).toEqual([
      textOf(dataBlock("1.8.0(1234.568*kWh)\r\n", { check: "sum" })),
    ]);
    expect(ask(command("R1", "1.8.0()"))).toEqual([nak]);
    expect(aMeter({ access: reads, check: "sum" }).ask("/?!\r\n\x06051\r\n")[1]).toBe(
      sum("P0", "(12345678)"),
    );
  });
});
