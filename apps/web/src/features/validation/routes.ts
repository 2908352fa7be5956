import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "objects/validation",
    right: "6:read|6:access_all",
    texts: ["validation", "objectTabs", "grid"],
    palette: { slug: "validation", icon: "check" },
    component: lazyRouteComponent(() => import("./ValidationPage.tsx"), "ValidationPage"),
  }),
];
