import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "devices/completeness",
    right: "4:read",
    texts: ["completeness", "devices", "grid", "dateRange"],
    palette: { slug: "completeness", icon: "table" },
    component: lazyRouteComponent(() => import("./CompletenessPage.tsx"), "CompletenessPage"),
  }),
];
