import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "devices/lines",
    right: "4:read|4:access_all",
    texts: ["lines", "devices", "grid"],
    palette: { slug: "lines", icon: "gateway" },
    component: lazyRouteComponent(() => import("./LinesPage.tsx"), "LinesPage"),
  }),
];
