import { describe, expect, it } from "vitest";
import { languages, type Language } from "../text.ts";
import { stepAt, stepCodes, stepTables, type StepName } from "./steps.ts";
import { stepWords, type ReadStep } from "./stepWords.ts";

const sentence = (step: ReadStep, language: Language = "ru") =>
  stepWords(step, { language, resource: "electricity" });
const rows = { local: "2026-11-20T05:30" };

describe("codes of steps", () => {
  it("have texts in three languages, with the same arguments in each", () => {
    const argumentsOf = (text: string) =>
      [...text.matchAll(/\[|\]|\{\w+\}/g)].map(([each]) => each).toSorted();
    for (const [code, [russian, english, mongolian]] of stepCodes) {
      expect(
        [russian, english, mongolian].every((text) => text.trim() !== ""),
        code,
      ).toBe(true);
      expect(argumentsOf(english), code).toEqual(argumentsOf(russian));
      expect(argumentsOf(mongolian), code).toEqual(argumentsOf(russian));
    }
  });

  it("are in one table each", () => {
    expect(stepTables.flatMap((table) => Object.keys(table)).length).toBe(stepCodes.size);
  });

  it("are in Cyrillic in Russian and Mongolian", () => {
    for (const language of ["ru", "mn"] as const)
      expect([...stepCodes.keys()].filter((code) => !/[а-яёөү]/i.test(sentence(code, language)))).toEqual([]);
  });

  it("that no table has, or that lack an argument, cannot be returned by a protocol", () => {
    // @ts-expect-error a code that no table has
    const unknown: StepName = "flux_capacitor";
    // @ts-expect-error words with a number want one
    const bare: StepName = "initialise";
    // @ts-expect-error one of two arguments
    const half: StepName = { code: "uplink", n: 1 };
    // @ts-expect-error what is read has a code of what stands in frames
    const nothing: StepName = { code: "read", what: "flux" };
    const whole: StepName = { code: "radio", gateways: 2 };

    expect([unknown, bare, half, nothing, whole].length).toBe(5);
  });

  it("of another release, and texts from before codes, are shown as they are", () => {
    expect(sentence("Read energy, period 0, month 0, tariff 3")).toBe(
      "Read energy, period 0, month 0, tariff 3",
    );
    expect(sentence("Radio | -70 dBm | 2 gw", "mn")).toBe("Radio | -70 dBm | 2 gw");
    expect(sentence({ code: "flux_capacitor", charge: 3, block: 2, again: "anew" })).toBe(
      "flux_capacitor, блок 2",
    );
  });
});

describe("steps", () => {
  it.each<[StepName, string, string]>([
    [
      { code: "read_registers", from: "0x0000", to: "0x0023" },
      "Регистры 0x0000–0x0023",
      "Registers 0x0000–0x0023",
    ],
    [{ code: "initialise", n: 3 }, "Начало связи, адрес 3", "Open the link, address 3"],
    [
      { code: "radio", rssi: -70, snr: 9, rate: "SF7BW125", gateways: 2 },
      "Принято по радио: −70 дБм, 9 дБ, SF7BW125, шлюзов: 2",
      "Received by radio: −70 dBm, 9 dB, SF7BW125, 2 gateways",
    ],
    [
      { code: "radio_confirmed", rssi: -70, gateways: 2 },
      "Принято по радио: −70 дБм, шлюзов: 2, ждёт подтверждения",
      "Received by radio: −70 dBm, 2 gateways, confirmation requested",
    ],
    [{ code: "radio", gateways: 1 }, "Принято по радио: шлюзов: 1", "Received by radio: 1 gateways"],
    [
      { code: "status", margin: 7, battery: 80 },
      "Прибор слышит сеть: 7 дБ, 80 %",
      "Received by the device with 7 dB, 80 %",
    ],
    [{ code: "status", margin: -2 }, "Прибор слышит сеть: −2 дБ", "Received by the device with −2 dB"],
    [{ code: "missing", n: 3 }, "Перед этим пропущено сообщений: 3", "3 messages missing before this one"],
    [{ code: "join_address", address: "00189440" }, "Адрес 00189440", "Address 00189440"],
    [{ code: "downlink", port: 4 }, "Прибору, порт 4", "To the device, port 4"],
    ["downlink_not_acknowledged", "Прибор не подтвердил", "Not confirmed by the device"],
    ["telegram", "Телеграмма", "Telegram"],
    [{ code: "select", n: "33910001" }, "Выбор прибора 33910001", "Select meter 33910001"],
    [{ code: "uplink", n: 12, port: 2 }, "Сообщение 12, порт 2", "Uplink 12, port 2"],
    ["associate", "Ассоциация (AARQ)", "Associate (AARQ)"],
    [
      { code: "read_energy_since_reset", tariff: 3 },
      "Энергия от сброса, тариф 3",
      "Energy since reset, tariff 3",
    ],
    ["read_energy_sum", "Энергия от сброса, сумма", "Energy since reset, total"],
    [
      { code: "read_energy", period: 3, month: 11, tariff: 0 },
      "Энергия: период 3, месяц 11, тариф 0",
      "Energy: period 3, month 11, tariff 0",
    ],
    [{ code: "read", what: "voltage" }, "Чтение: напряжение", "Read: voltage"],
    [{ code: "read", what: "clock" }, "Чтение: часы прибора", "Read: clock"],
    [
      { code: "read", what: { code: "data_set", n: "VOLTA" } },
      "Чтение: Напряжение (VOLTA)",
      "Read: Voltage (VOLTA)",
    ],
    [{ code: "sign_on", n: "43020001" }, "Вызов 43020001", "Sign on to 43020001"],
    ["break_off", "Завершение сеанса", "Break"],
  ])("%j", (step, russian, english) => {
    expect(sentence(step)).toBe(russian);
    expect(sentence(step, "en")).toBe(english);
  });

  it("of a long answer name the frame, and the reason for a repetition", () => {
    const read: StepName = { code: "read_attribute", obis: "1.0.99.1.0.255", n: 2, from: rows, to: rows };

    expect(sentence(stepAt(stepAt(read, { block: 2 }), { segment: 3 }))).toBe(
      "1.0.99.1.0.255, атрибут 2, с 20.11.2026 05:30 по 20.11.2026 05:30, блок 2, часть 3",
    );
    expect(sentence({ code: "read_attribute", obis: "1.0.94.7.0.255", n: 3, segment: 2 })).toBe(
      "1.0.94.7.0.255, атрибут 3, часть 2",
    );
    expect(sentence({ code: "read_attribute", obis: "1.0.99.1.0.255", n: 2, first: 1, last: 48 }, "en")).toBe(
      "1.0.99.1.0.255, attribute 2, rows 1–48",
    );
    expect(languages.map((language) => sentence(stepAt("associate", { again: "lost" }), language))).toEqual([
      "Ассоциация (AARQ), потеряно, переспрос (RR)",
      "Associate (AARQ), lost, requested again (RR)",
      "Ассоциаци (AARQ), алдагдсан, дахин асуусан (RR)",
    ]);
  });
});
