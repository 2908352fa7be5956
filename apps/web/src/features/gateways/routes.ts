import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

const right = "4:read|4:access_all";

export const screens = [
  screen({
    path: "devices/gateways",
    right,
    texts: ["gateways", "carriers", "devices", "grid"],
    palette: { slug: "gateways", icon: "gateway" },
    component: lazyRouteComponent(() => import("./GatewaysPage.tsx"), "GatewaysPage"),
  }),
  screen({
    path: "devices/gateway/$id",
    right,
    texts: ["gateways", "carriers", "devices", "grid"],
    component: lazyRouteComponent(() => import("./GatewayPage.tsx"), "GatewayPage"),
  }),
];
