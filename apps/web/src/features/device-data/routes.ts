import { lazyRouteComponent } from "@tanstack/react-router";
import { leadTo, screen } from "#lib/screen";
import { say } from "#ui/snackbar";

const page = () => import("./DeviceDataPage.tsx");

export const screens = [
  screen({
    path: "devices/data/$id",
    right: "4:read",
    texts: ["devices", "deviceData", "grid", "chart", "dateRange"],
    start: async ({ id = "" }, search) => (await page()).startCalls(id, search),
    component: lazyRouteComponent(page, "DeviceDataPage"),
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
