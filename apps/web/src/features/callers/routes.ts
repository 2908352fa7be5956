import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "devices/callers",
    right: "platform|4:create",
    texts: ["callers", "devices", "grid"],
    palette: { slug: "callers", icon: "search" },
    component: lazyRouteComponent(() => import("./CallersPage.tsx"), "CallersPage"),
  }),
];
