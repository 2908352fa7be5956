// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { draw, found, says, useScreen } from "#testing/dom.tsx";
import { aPoint } from "#testing/points.ts";
import { anAccess, asUser } from "#testing/session.ts";
import { PointDataPage } from "./PointDataPage.tsx";

const place = vi.hoisted(() => ({ params: {} }));
vi.mock("@tanstack/react-router", async (load) => ({
  ...(await load<object>()),
  useParams: () => place.params,
}));

/** The test browser has no canvas. */
vi.mock("uplot", () => ({
  default: class {
    data = [];
    series = [];
    batch() {}
    redraw() {}
    setSize() {}
    destroy() {}
  },
}));

useScreen("deviceData", "devices", "grid", "chart", "dateRange");
beforeEach(() => {
  startSession("token");
  place.params = { point_id: "144" };
});

const meter = {
  id: 7,
  name: "Khutul meter",
  place: "",
  deviceID: "5200144",
  gatewayID: null,
  gateway: null,
  base_station: null,
  inside_addr: "",
  interface_id: 4,
  model_id: 101,
  model_title: "SDM630",
  device_type_id: 3,
  device_group_id: 4,
  deviceTimezone: 0,
  timezone_name: "UTC",
  report_period_update: 3600,
  warning_report_period: 7200,
  starting_value: 0,
  impulse_weight: 1,
  transformation_ratio: 1,
  properties: {},
  status: {},
  is_active: true,
  is_archived: false,
  is_deleted: false,
  state: "on_time",
  last_data_at: 1_795_156_200,
  last_reading: null,
  completeness: [],
  created_at: 1_307_116_800,
  version: 1,
  resource_type_id: 3,
  secrets: [],
  device_fields_titles: [],
  tied_point: null,
  model: {
    id: 101,
    title: "SDM630",
    brand_id: 1,
    brand: "Eastron",
    device_group_id: 4,
    device_type_id: 3,
    interface_ids: [4],
    protocol: "modbus",
    options: { control: { now_value: { active: true } }, virtual_bridge: { active: false } },
    tabs: {
      instant_readings: { msgTypes: [2], chart_fields: ["voltage1", "voltage2"] },
      power_profiles: { msgTypes: [5], chart_fields: [] },
      archives: { msgTypes: [100, 101], chart_fields: ["tariff0"] },
    },
    fields: ["voltage1", "voltage2"],
    has_own_starting_value: false,
    has_login: false,
    has_vectors: false,
  },
};

async function serve(more: Readonly<Record<string, () => Response>> = {}) {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "objects/accounting_point/144": () => answer({ accounting_point: aPoint() }),
    ...more,
  });
  await loadSession();
  return requests;
}

it("ROUTE-020 DATA-047: the data page opens by the id of a point and asks for the data of all its devices", async () => {
  const requests = await serve({
    "device/metering_device/7": () =>
      answer({
        metering_device: meter,
      }),
  });
  await draw(<PointDataPage />);

  const request = await found(() =>
    requests.find(({ url }) => url.endsWith("/api/objects/accounting_point/messages")),
  );
  expect(await request.clone().json()).toMatchObject({
    accounting_point_id: 144,
    tab: "instant_readings",
    msgType: 2,
    shape: "columns",
  });
  // Never those of the device alone: it has measured other points, or this one only for a while.
  expect(requests.some(({ url }) => url.endsWith("/api/device/messages"))).toBe(false);
  const card = document.querySelector("a[href='#/cloud/devices/accounting-point-card/7?point_id=144']");
  expect(card).not.toBeNull();
});

it("ROUTE-020: a point without a meter, and one that does not exist, say so", async () => {
  await serve({
    "objects/accounting_point/144": () =>
      answer({ accounting_point: aPoint({ device: null, device_id: null, state: "no_device" }) }),
    "objects/accounting_point/145": () => refusal(404, "not_found", "No"),
  });
  await draw(<PointDataPage />);
  await found(() => says("No meter measures this point now"));

  place.params = { point_id: "145" };
  await draw(<PointDataPage />);
  await found(() => says("There is no such accounting point"));
});
