import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

const texts = ["balances", "directories", "dateRange", "grid"];
const form = lazyRouteComponent(() => import("./GroupFormPage.tsx"), "GroupFormPage");

export const screens = [
  screen({
    path: "directories/balance",
    right: "6:read",
    texts,
    palette: { slug: "balance", icon: "directories" },
    component: lazyRouteComponent(() => import("./BalancesPage.tsx"), "BalancesPage"),
  }),
  screen({ path: "directories/balance/new", right: "6:create", texts, component: form }),
  screen({
    path: "directories/balance/$id",
    right: "6:read",
    texts: [...texts, "vector"],
    component: lazyRouteComponent(() => import("./BalancePage.tsx"), "BalancePage"),
  }),
  screen({ path: "directories/balance/$id/edit", right: "6:update", texts, component: form }),
];
