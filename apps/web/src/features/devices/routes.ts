import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "devices",
    right: "4:read",
    texts: ["devices", "grid"],
    menu: { icon: "devices", group: "work" },
    component: lazyRouteComponent(() => import("./DevicesPage.tsx"), "DevicesPage"),
  }),
];
