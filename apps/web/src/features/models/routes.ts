import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "devices/models",
    right: "4:read",
    texts: ["models", "grid", "settings"],
    palette: { slug: "models", icon: "devices" },
    component: lazyRouteComponent(() => import("./ModelsPage.tsx"), "ModelsPage"),
  }),
  screen({
    path: "devices/models/$id",
    right: "4:read",
    texts: ["models", "settings"],
    component: lazyRouteComponent(() => import("./ModelPage.tsx"), "ModelPage"),
  }),
];
