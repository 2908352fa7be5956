import { baseStationModels, models as catalogue } from "@metrum/catalogue";
import { models, modelSheets } from "@metrum/contract/metering";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";

let api: TestApi;
let token: string;

beforeAll(async () => {
  api = await openTestApi();
  // Reference lists need no right: a user without any reads them too.
  token = await api.token("norights@metrum.example");
});
afterAll(() => api.close());

it("DEV-027 lists models, groups, types, brands and interfaces from the catalogue", async () => {
  const devices = await api.ask(models.devices, { token, input: { body: {} } });
  const groups = await api.ask(models.groups, { token, input: { body: {} } });
  const types = await api.ask(models.types, { token, input: { body: {} } });
  const gateways = await api.ask(models.gateways, { token, input: { body: {} } });
  const stations = await api.ask(models.baseStations, { token, input: { body: {} } });
  const brands = await api.ask(models.brands, { token, input: { body: {} } });

  const brandIds = new Set(brands.data.brands.map((brand) => brand.id));
  const typeIds = new Set(types.data.types.map((type) => type.id));
  expect(new Set(devices.data.metering_devices.map((model) => model.device_group_id))).toEqual(
    new Set([1, 2, 3, 4, 6]),
  );
  for (const model of devices.data.metering_devices) {
    expect(brandIds).toContain(model.brand_id);
    expect(typeIds).toContain(model.device_type_id);
  }
  expect(groups.data.groups.map((group) => group.id).sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(new Set(gateways.data.gateways.map((each) => each.connection))).toEqual(
    new Set(["dial_in", "tcp_client"]),
  );
  expect(stations.data.base_stations).toHaveLength(baseStationModels.length);
});

it("CTRL-089 a model has its controls and tabs, and whether it is polled over a line, which can be bridged", async () => {
  const { data } = await api.ask(models.devices, { token, input: { body: {} } });

  const shown = new Map(data.metering_devices.map((model) => [model.id, model]));
  for (const model of catalogue) {
    if (model.kind !== "meter") continue;
    const { options, tabs } = shown.get(model.id) ?? {};
    expect([model.id, options?.virtual_bridge.active]).toEqual([model.id, model.driver.kind === "line"]);
    const memory = ["archive", "archive_profile", "event_log"];
    expect(Object.keys(options?.control ?? {}).filter((key) => !memory.includes(key))).toEqual(
      Object.keys(model.controls).filter((key) => !memory.includes(key)),
    );
    for (const [name, tab] of Object.entries(model.tabs))
      expect(tabs?.[name]?.msgTypes).toEqual(tab.msgTypes);
  }
});

it("REQ-028 DATA-044 archives and journals of a model are those that its meter keeps, and how long", async () => {
  const { data } = await api.ask(models.devices, { token, input: { body: { ids: [101, 120, 702] } } });

  const of = (id: number) => data.metering_devices.find((model) => model.id === id)?.options.control ?? {};
  expect(["archive", "archive_profile", "event_log"].filter((key) => key in of(101))).toEqual([]);
  expect(of(120)["archive"]).toEqual({
    active: true,
    settings: {
      types: [
        { id: 101, depth_days: 2 },
        { id: 103, depth_days: 365 },
      ],
    },
  });
  expect(of(120)["archive_profile"]?.active).toBe(true);
  expect(of(120)["event_log"]).toBeUndefined();
  expect(of(702)["event_log"]?.settings).toMatchObject({
    journals: expect.arrayContaining([
      { event_index: 2, title: "Включение и выключение", title_en: "Switching on and off" },
    ]) as unknown,
  });
});

it("finds models by a part of their title and by id", async () => {
  const byText = await api.ask(models.devices, { token, input: { body: { search_string: "sdm6" } } });
  const byId = await api.ask(models.devices, { token, input: { body: { ids: [101] } } });

  expect(byText.data.metering_devices.map((model) => model.id)).toEqual([101]);
  expect(byId.data.metering_devices.map((model) => model.id)).toEqual([101]);
});

it("DEV-026 has the 42 interfaces of the specification in their order", async () => {
  const { data } = await api.ask(models.interfaces, { token, input: { body: {} } });

  expect(data.interfaces.map((each) => each.id)).toEqual(Array.from({ length: 42 }, (_, at) => at + 1));
  expect(data.interfaces[0]?.name).toBe("LoRaWAN");
  expect(data.interfaces[5]?.name).toBe("M_BUS");
  expect(data.interfaces[34]?.name).toBe("Lorawan Things stack");
  expect(data.interfaces[41]?.name).toBe("ethernet_uspd");
});

it("DEV-028 returns interfaces by connection type and tabs by device group", async () => {
  const pushed = await api.ask(models.interfaces, { token, input: { body: { connection_type: "pushed" } } });
  const heat = await api.ask(models.tabs, { token, input: { body: { device_group_id: 3 } } });
  const electricity = await api.ask(models.tabs, { token, input: { body: { device_group_id: 4 } } });

  expect(pushed.data.interfaces.map((each) => each.name)).toContain("LoRaWAN");
  expect(pushed.data.interfaces.map((each) => each.name)).not.toContain("RS_485");
  expect(heat.data.tabs.map((tab) => tab.name)).not.toContain("power_profiles");
  expect(electricity.data.tabs.find((tab) => tab.name === "power_profiles")).toMatchObject({
    title: "Профиль мощности",
    title_en: "Power profile",
    msgTypes: [5],
  });
});

it("DATA-041 model 447 stores its starting value itself; special rules of other models are properties too", async () => {
  const { data } = await api.ask(models.devices, { token, input: { body: {} } });
  const { data: of } = await api.ask(models.gateways, { token, input: { body: {} } });

  const idsOf = (list: readonly { readonly id: number }[]) => list.map(({ id }) => id);
  expect(idsOf(data.metering_devices.filter((model) => model.has_own_starting_value))).toEqual([447]);
  expect(idsOf(data.metering_devices.filter((model) => model.has_login))).toEqual([551, 552]);
  expect(
    new Set(data.metering_devices.flatMap((each) => (each.has_vectors ? each.device_type_id : []))),
  ).toEqual(new Set([3, 29]));
  expect(idsOf(of.gateways.filter((gateway) => gateway.has_raw_payload))).toEqual([2]);
  expect(idsOf(of.gateways.filter((gateway) => gateway.is_always_controlled))).toEqual([223, 224]);
});

it("returns the data sheet of every model of the catalogue, and nothing for an unknown one", async () => {
  for (const { id, kind, title } of catalogue) {
    const { data } = await api.ask(modelSheets.get, { token, input: { params: { model_id: String(id) } } });
    expect(data.model).toMatchObject({ id, kind, title });
    expect(data.model.fields.length > 0).toBe(kind === "meter");
    expect(data.model.evidence.includes("simulator")).toBe(kind === "meter");
  }
  const { status, code } = await api.ask(modelSheets.get, {
    token,
    input: { params: { model_id: "999999" } },
  });

  expect([status, code]).toEqual([404, "not_found"]);
});

it("lists the evidence of a model and nothing else", async () => {
  const sheet = async (id: number) =>
    (await api.ask(modelSheets.get, { token, input: { params: { model_id: String(id) } } })).data.model;

  expect((await sheet(101)).evidence).toEqual(["simulator", "software"]);
  expect((await sheet(104)).evidence).toEqual(["simulator"]);
  expect(await sheet(230)).toMatchObject({
    evidence: ["simulator", "telegram"],
    comparisons: [{ kind: "telegram", source: expect.stringContaining("libmbus") as string }],
  });
  expect((await sheet(104)).comparisons).toEqual([]);
  expect(await sheet(702)).toMatchObject({
    protocol: "dlms",
    profile_from: null,
    archives: expect.arrayContaining([{ msg_type: 5, period: 1800, depth_days: 45 }]) as unknown,
  });
});

it("lists the secrets a protocol uses, and the settings of a device", async () => {
  const sheet = async (id: number) => {
    const { data } = await api.ask(modelSheets.get, { token, input: { params: { model_id: String(id) } } });
    return [data.model.secrets, data.model.settings];
  };

  expect(await sheet(311)).toEqual([["encryption"], []]);
  expect(await sheet(120)).toEqual([["password"], ["transformation_ratio"]]);
  expect(await sheet(301)).toEqual([[], ["impulse_weight", "starting_value"]]);
  expect(await sheet(601)).toEqual([[], []]);
});

it("DEV-027 poll fields are those of the connection: address, echo of a bus, fixed speed where speeds change", async () => {
  const fields = async (body: { model_id?: number; interface_id?: number }) =>
    (await api.ask(models.pollFields, { token, input: { body } })).data.fields;
  const names = async (body: Parameters<typeof fields>[0]) => (await fields(body)).map(({ name }) => name);

  expect(await names({})).toEqual(["inside_addr", "echo", "fixed_baud"]);
  expect(await names({ model_id: 101, interface_id: 4 })).toEqual(["inside_addr", "echo"]);
  expect(await names({ model_id: 702, interface_id: 10 })).toEqual(["inside_addr", "fixed_baud"]);
  expect(await names({ model_id: 301 })).toEqual([]);
  expect(await names({ interface_id: 1 })).toEqual([]);
  expect((await fields({ model_id: 101 }))[0]).toMatchObject({ type: "text", required: true });
  expect((await fields({ model_id: 120 }))[0]).toMatchObject({ type: "text", required: false });
  const unknown = await api.ask(models.pollFields, { token, input: { body: { model_id: 999_999 } } });
  expect(unknown.code).toBe("unknown_model");
});

it("GWCTRL-009 CTRL-006 models of gateways have their commands as those of devices; two always have controls", async () => {
  const { data } = await api.ask(models.gateways, { token, input: { body: {} } });
  const modelOf = (id: number) => data.gateways.find((each) => each.id === id);

  expect(modelOf(622)?.options.control).toMatchObject({
    reset: { active: true },
    setout: { active: true, settings: { out: { minimum: 1, maximum: 1 } } },
    gateway_settings: { active: true, properties: { signal_level: { kind: "read" } } },
  });
  expect(modelOf(601)?.options.control).toEqual({});
  expect(data.gateways.filter((each) => each.is_always_controlled).map(({ id }) => id)).toEqual([223, 224]);
  const sheet = await api.ask(modelSheets.get, { token, input: { params: { model_id: "624" } } });
  expect(sheet.data.model.protocol).toBe("at");
  expect(sheet.data.model.controls).toContain("time_set");
});
