import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

const right = "6:read";
const texts = ["periods", "grid"];

export const screens = [
  screen({
    path: "objects/periods",
    right,
    texts: [...texts, "objectTabs"],
    palette: { slug: "periods", icon: "objects" },
    component: lazyRouteComponent(() => import("./PeriodsPage.tsx"), "PeriodsPage"),
  }),
  screen({
    path: "objects/periods/close/$month",
    right,
    texts,
    component: lazyRouteComponent(() => import("./ClosePage.tsx"), "ClosePage"),
  }),
  screen({
    path: "objects/periods/$id",
    right,
    texts,
    component: lazyRouteComponent(() => import("./PeriodPage.tsx"), "PeriodPage"),
  }),
];
