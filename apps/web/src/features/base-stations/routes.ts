import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "devices/base-stations",
    right: "4:read|4:access_all",
    texts: ["baseStations", "carriers", "devices", "grid"],
    palette: { slug: "base-stations", icon: "map" },
    component: lazyRouteComponent(() => import("./BaseStationsPage.tsx"), "BaseStationsPage"),
  }),
];
