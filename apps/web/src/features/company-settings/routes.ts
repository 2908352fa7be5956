import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "company-settings/{-$section}",
    right: "admin",
    texts: ["companySettings", "settings", "grid"],
    palette: {
      slug: "company-settings",
      icon: "settings",
      isShown: ({ access }) => access.rules_belong_to_company_id !== null,
    },
    component: lazyRouteComponent(() => import("./CompanySettingsPage.tsx"), "CompanySettingsPage"),
  }),
];
