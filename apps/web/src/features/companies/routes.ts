import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "companies",
    right: "2:read",
    texts: ["companies", "freeze", "grid"],
    menu: { icon: "companies", group: "company" },
    component: lazyRouteComponent(() => import("./CompaniesPage.tsx"), "CompaniesPage"),
  }),
];
