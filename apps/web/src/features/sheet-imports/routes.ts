import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

const shared = {
  right: "4:create|4:update|4:access_all|6:create|6:access_all",
  texts: ["sheetImports", "devices", "grid"],
  component: lazyRouteComponent(() => import("./ImportScreen.tsx"), "ImportScreen"),
};

export const screens = [
  screen({ ...shared, path: "devices/import", palette: { slug: "import", icon: "upload" } }),
  screen({ ...shared, path: "devices/import/$id" }),
];
