import { lazyRouteComponent } from "@tanstack/react-router";
import { devices } from "@metrum/contract/metering";
import { callOptions, queryClient } from "#lib/call";
import { leadTo, screen } from "#lib/screen";
import { say } from "#ui/snackbar";

const page = () => import("./DeviceDataPage.tsx");

export const screens = [
  screen({
    path: "devices/data/$id",
    right: "4:read",
    texts: ["devices", "deviceData", "grid", "chart", "dateRange"],
    start: async ({ id = "" }, search) => {
      const { metering_device: device } = await queryClient.query(
        callOptions(devices.get, { params: { id } }, { isQuiet: true }),
      );
      const { startCalls } = await page();
      await startCalls(device, search);
    },
    component: lazyRouteComponent(page, "DeviceDataPage"),
  }),
  /** The same by an accounting point: the data of all devices that have measured it. */
  screen({
    path: "devices/data/point/$point_id",
    right: "4:read&(6:read|6:access_all)",
    texts: ["devices", "deviceData", "grid", "chart", "dateRange"],
    component: lazyRouteComponent(() => import("./PointDataPage.tsx"), "PointDataPage"),
  }),
  /** A data page without a device: shown with the text of the specification. */
  screen({
    path: "devices/data",
    right: "4:read",
    texts: [],
    load: () => {
      void say("msg_84", {}, "error");
      leadTo("/cloud/devices");
    },
  }),
  /** The exchange log is a tab of the data page. */
  screen({
    path: "devices/logs/metering/$deviceId",
    right: "4:read",
    texts: [],
    load: ({ deviceId = "" }) => leadTo(`/cloud/devices/data/${encodeURIComponent(deviceId)}?tab=journal`),
  }),
];
