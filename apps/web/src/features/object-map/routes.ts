import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "objects/map",
    right: "6:read",
    texts: ["objectMap", "objectTabs", "grid"],
    palette: { slug: "objects_map", icon: "objects" },
    component: lazyRouteComponent(() => import("./MapPage.tsx"), "MapPage"),
  }),
];
