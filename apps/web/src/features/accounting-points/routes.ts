import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

const right = "6:read|6:access_all";

export const screens = [
  screen({
    path: "objects/points",
    right,
    texts: ["accountingPoints", "objectTabs", "grid"],
    palette: { slug: "points", icon: "objects" },
    component: lazyRouteComponent(() => import("./list/PointsPage.tsx"), "PointsPage"),
  }),
  /** Another meter for a point: also on a phone at the meter. */
  screen({
    path: "objects/points/$id/replace",
    right: "6:update&(4:read|4:access_all)",
    texts: ["accountingPoints", "pointReplacement"],
    component: lazyRouteComponent(() => import("./replacement/ReplacePage.tsx"), "ReplacePage"),
  }),
  /** By the device that measures the point now; with `point_id` by the point. */
  screen({
    path: "devices/accounting-point-card/$deviceId",
    right,
    under: "objects",
    texts: ["accountingPoints"],
    component: lazyRouteComponent(() => import("./card/PointCardPage.tsx"), "PointCardPage"),
  }),
];
