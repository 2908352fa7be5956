// Numbers of the wire and of the store, and words: whoever changes one of them changes it here as well.
import { expect, test } from "vitest";
import {
  archiveOfWireType,
  archiveTypeIds,
  archiveTypes,
  archiveWireType,
  hasTimeOfDay,
  isArchiveType,
} from "./archiveTypes.ts";
import { factorOf, otherUnits } from "./conversions.ts";
import { fieldNames, fieldOf, fields } from "./fields.ts";
import { interfaces } from "./interfaces.ts";
import { journals } from "./journals.ts";
import { isMessageType, messageTypeIds, messageTypes, sources, statuses } from "./messageTypes.ts";
import { accessActions, hiddenModuleIds, modules } from "./modules.ts";
import { protocols } from "./protocols.ts";
import {
  meterKinds,
  pointTypeOf,
  pointTypes,
  resourceByKey,
  resourceOfGroup,
  resourceOfType,
  resources,
  resourceTypeOf,
} from "./resources.ts";
import { tabs } from "./tabs.ts";
import { languages, type Text } from "./text.ts";
import { powerUnits, units } from "./units.ts";

const isSaid = (title: Text): boolean => languages.every((language) => title[language] !== "");

test("everything that is shown has a name in each language", () => {
  const named: readonly (readonly [string, readonly { readonly title: Text }[]])[] = [
    ["fields", Object.values(fields)],
    ["interfaces", interfaces],
    ["message types", messageTypeIds.map((id) => messageTypes[id])],
    ["archives", archiveTypeIds.map((id) => archiveTypes[id])],
    ["modules", modules],
    ["resources", resources],
    ["types of points", pointTypes],
    ["kinds of meters", meterKinds],
    ["tabs", Object.values(tabs).map((title) => ({ title }))],
    ["journals", Object.values(journals).map((title) => ({ title }))],
    ["units", Object.entries(units).flatMap(([key, title]) => (key === "none" ? [] : [{ title }]))],
  ];

  for (const [name, all] of named) {
    expect(all.length, name).toBeGreaterThan(0);
    expect(
      all.filter(({ title }) => !isSaid(title) || Object.keys(title).length !== languages.length),
    ).toEqual([]);
  }
  expect(units.none).toEqual({ ru: "", en: "", mn: "" });
  expect(Object.values<string>(protocols).filter((name) => name === "")).toEqual([]);
});

test("interfaces have the numbers 1 to 42 and a wire name each; radio networks push", () => {
  expect(interfaces.map(({ id }) => id)).toEqual(Array.from({ length: 42 }, (_, at) => at + 1));
  expect(interfaces.map(({ name }) => name)).toEqual([
    ...["LoRaWAN", "Impulse", "RS_232", "RS_485", "WM_BUS", "M_BUS", "Ethernet", "Zigbee", "PLC", "GSM_GPRS"],
    ...["CAN", "NB_Fi", "Current_loop", "RS_422", "USB", "Wi_Fi", "NB_IoT", "6LoWPAN", "3G", "Actility"],
    ...["lers_api", "kt_iot", "virtual", "temperature", "net868", "ftp", "Lartech", "CSD", "one_wire"],
    ...["single_wire", "discrete", "analog", "ERTH_IoT_Server", "vega", "Lorawan Things stack"],
    ...["Lorawan ChirpStack", "open_out", "RF433", "AirBit", "Smartgrid", "NIDD", "ethernet_uspd"],
  ]);
  expect(interfaces.flatMap(({ id, connectionType }) => (connectionType === "pushed" ? [id] : []))).toEqual([
    ...[1, 12, 17, 20, 22, 25, 27, 33, 34, 35, 36, 38, 39, 41],
  ]);
});

test("a resource is found by its group and by its types of points; unknown numbers are of another one", () => {
  expect(
    resources.map((each) => [
      each.key,
      each.resourceId,
      each.deviceGroupId,
      each.resourceTypeIds,
      each.mainField,
    ]),
  ).toEqual([
    ["water", 1, 1, [1, 2, 8, 9], "in1"],
    ["gas", 5, 2, [5], "in1"],
    ["heat", 4, 3, [4, 7], "tariff1"],
    ["electricity", 3, 4, [3], "tariff0"],
    ["substance", 6, 5, [6], "in1"],
    ["sensor", 2, 6, [], null],
    ["other", 7, 7, [], null],
  ]);
  expect(Object.entries(resourceByKey).every(([key, each]) => each.key === key)).toBe(true);
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map((id) => resourceOfGroup(id).key)).toEqual([
    ...["other", "water", "gas", "heat", "electricity", "substance", "sensor", "other", "other"],
  ]);
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => resourceOfType(id).key)).toEqual([
    ...["water", "water", "electricity", "heat", "gas", "substance", "heat", "water", "water", "other"],
  ]);
});

test("a type of points has its unit; hot water alone is hot, and a meter fits the type of its water", () => {
  expect(pointTypes.map(({ id, unit, waterKind }) => [id, unit, waterKind])).toEqual([
    [1, "m3", "hot"],
    [2, "m3", "cold"],
    [3, "kWh", null],
    [4, "Gcal", null],
    [5, "m3", null],
    [6, "m3", null],
    [7, "Gcal", null],
    [8, "m3", "cold"],
    [9, "m3", "cold"],
  ]);
  expect([pointTypeOf(3)?.unit, pointTypeOf(10)]).toEqual(["kWh", undefined]);
  expect(meterKinds.map(({ id }) => id)).toEqual([0, 1, 3, 4, 5, 6, 7, 8, 9]);
  const { water, heat, sensor } = resourceByKey;
  expect([1, 0, undefined].map((kind) => resourceTypeOf(water, kind))).toEqual([1, 2, 2]);
  expect([resourceTypeOf(heat, 0), resourceTypeOf(sensor, 0)]).toEqual([4, undefined]);
});

test("messages, archives, sources and statuses keep their numbers", () => {
  expect(messageTypeIds.map((id) => [id, messageTypes[id].key])).toEqual([
    [1, "readings"],
    [2, "instant_readings"],
    [3, "alarm"],
    [5, "power_profile"],
    [6, "service_information"],
    [7, "journal_device"],
    [10, "energy_profile"],
    [100, "hourly"],
    [101, "daily"],
    [103, "monthly"],
  ]);
  expect([isMessageType(5), isMessageType(4)]).toEqual([true, false]);
  expect(sources).toEqual({ polled: 1, pushed: 2, imported: 3, manual: 4, calculated: 5 });
  expect(Object.entries(statuses).map(([key, { id, rank }]) => [key, id, rank])).toEqual([
    ["measured", 1, 40],
    ["late", 2, 40],
    ["suspect", 3, 20],
    ["rejected", 4, 10],
    ["estimated", 5, 30],
    ["corrected", 6, 60],
    ["manual", 7, 38],
  ]);
});

test("archives of values, of counters and of sums have the same periods", () => {
  const periods = [
    ["hour", "hourly", 100],
    ["day", "daily", 732],
    ["week", "weekly", 1098],
    ["month", "monthly", 3660],
    ["quarter", "quarterly", 7320],
    ["half_year", "half_yearly", 7320],
    ["year", "yearly", 7320],
  ] as const;
  const expected = ["", "integral_", "summary_"].flatMap((kind, at) =>
    periods.map(([period, key, maxDays], n) => [100 + at * 7 + n, kind + key, period, maxDays] as const),
  );

  expect(
    archiveTypeIds.map((id) => [id, archiveTypes[id].key, archiveTypes[id].period, archiveTypes[id].maxDays]),
  ).toEqual([...expected, [121, "arbitrary", "any", 100], [125, "billing_period_end", "any", 3660]]);
  expect([isArchiveType(125), isArchiveType(122)]).toEqual([true, false]);
});

test("an archive is asked for by its own number on the wire and found by it again", () => {
  expect([100, 101, 103, 102, 125].map((id) => (isArchiveType(id) ? archiveWireType(id) : null))).toEqual([
    ...[0, 1, 2, 102, 125],
  ]);
  expect(archiveTypeIds.map((id) => archiveOfWireType(archiveWireType(id)))).toEqual(archiveTypeIds);
  expect(archiveOfWireType(99)).toBeUndefined();
  expect(archiveTypeIds.filter((id) => !hasTimeOfDay(id))).toEqual([101, 103]);
});

test("units are converted by their sizes, and no others", () => {
  const of = (from: string, unit: Parameters<typeof factorOf>[1]) => factorOf(from, unit);

  expect([of("", "kWh"), of("kWh", "kWh"), of("Gcal", "kWh"), of("kWh", "kvar")]).toEqual([
    ...[1, 1, undefined, undefined],
  ]);
  expect([of("constructor", "kWh"), of("x", "celsius"), otherUnits("celsius")]).toEqual([
    ...[undefined, undefined, []],
  ]);
  const sizes: readonly (readonly [number, string, Parameters<typeof factorOf>[1], number])[] = [
    ...([
      [1000, "L", "m3", 1],
      [1000, "dm3", "m3", 1],
      [35.314666721, "ft3", "m3", 1],
    ] as const),
    ...([
      [1000, "L/h", "m3PerHour", 1],
      [50, "L/min", "m3PerHour", 3],
      [10, "L/s", "m3PerHour", 36],
    ] as const),
    ...([
      [500, "kg", "t", 0.5],
      [1500, "Wh", "kWh", 1.5],
      [2, "MWh", "kWh", 2000],
    ] as const),
    ...([
      [3.6, "MJ", "kWh", 1],
      [3.6, "GJ", "kWh", 1000],
      [7, "varh", "kvarh", 0.007],
    ] as const),
    ...([
      [2, "Mvarh", "kvarh", 2000],
      [5, "W", "kW", 0.005],
      [5, "MW", "kW", 5000],
    ] as const),
    ...([
      [5, "var", "kvar", 0.005],
      [5, "VA", "kVA", 0.005],
      [5, "mV", "V", 0.005],
    ] as const),
    ...([
      [6, "kV", "V", 6000],
      [20, "mA", "A", 0.02],
      [4.1868, "GJ", "Gcal", 1],
    ] as const),
    ...([
      [4186.8, "MJ", "Gcal", 1],
      [1163, "kWh", "Gcal", 1],
      [1.163, "MWh", "Gcal", 1],
    ] as const),
    ...([
      [1163, "kW", "GcalPerHour", 1],
      [1.163, "MW", "GcalPerHour", 1],
      [1e5, "Pa", "bar", 1],
    ] as const),
    ...([
      [1000, "hPa", "bar", 1],
      [100, "kPa", "bar", 1],
      [0.1, "MPa", "bar", 1],
    ] as const),
    ...([
      [1000, "mbar", "bar", 1],
      [14.503773773, "psi", "bar", 1],
      [0.25, "fraction", "percent", 25],
    ] as const),
    ...([
      [7200, "s", "hour", 2],
      [90, "min", "hour", 1.5],
      [2, "day", "hour", 48],
    ] as const),
    ...([
      [500, "ms", "second", 0.5],
      [2, "min", "second", 120],
    ] as const),
  ];
  for (const [amount, from, unit, expected] of sizes)
    expect(amount * (of(from, unit) ?? Number.NaN), `${from} ${unit}`).toBeCloseTo(expected, 6);
  expect(sizes.map(([, from, unit]) => `${from} ${unit}`).toSorted()).toEqual(
    Object.keys(units)
      .flatMap((key) => {
        const unit = Object.keys(units).find((each): each is keyof typeof units => each === key);
        return unit ? otherUnits(unit).map((from) => `${from} ${unit}`) : [];
      })
      .toSorted(),
  );
  expect([...powerUnits]).toEqual(["kW", "kvar", "kVA"]);
});

test("energy and power say whose they are: kilowatts are active, kilovars reactive, and reactive ones stand out", () => {
  const energyOf = {
    kWh: "active",
    kW: "active",
    kvarh: "reactive",
    kvar: "reactive",
    kVA: "apparent",
  } as const;
  for (const name of fieldNames) {
    const { unit, energy, direction, tone } = fields[name];
    const expected = unit in energyOf ? energyOf[unit as keyof typeof energyOf] : undefined;
    expect(energy, name).toBe(expected);
    if (energy) expect(tone, name).toBe(energy === "reactive" && direction ? "contrast" : "own");
  }
  expect(fields.tariff2.title.ru).toMatch(/тариф 2$/);
  const heat = fieldOf("tariff2", "heat").title;
  expect([heat.ru, heat.en, heat.mn].filter((each) => !/(?:тариф|tariff) 2$/.test(each))).toEqual([]);
  const { title } = fields.voltage2;
  expect([title.ru, title.en, title.mn].filter((each) => !/ B$/.test(each))).toEqual([]);
});

test("rights have their modules and actions; two of the modules are never in the menu", () => {
  expect(modules.map(({ id, slug }) => `${String(id)} ${slug}`)).toEqual([
    ...["5 dashboard", "4 devices", "6 objects", "6 directories", "7 reports", "8 events", "2 companies"],
    ...["1 users", "3 access_rules", "9 objects_map"],
  ]);
  expect(hiddenModuleIds).toEqual([3, 9]);
  expect(accessActions).toEqual(["create", "read", "update", "delete", "access_all"]);
});
