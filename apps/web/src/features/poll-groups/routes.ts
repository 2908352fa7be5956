import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

const texts = ["pollGroups", "devices", "grid", "settings"];
const form = lazyRouteComponent(() => import("./GroupFormPage.tsx"), "GroupFormPage");

export const screens = [
  screen({
    path: "devices/groups",
    right: "4:read",
    texts,
    palette: { slug: "groups", icon: "clock" },
    component: lazyRouteComponent(() => import("./PollGroupsPage.tsx"), "PollGroupsPage"),
  }),
  screen({ path: "devices/group/new", right: "4:create|4:access_all", texts, component: form }),
  screen({
    path: "devices/group/$id",
    right: "4:read",
    texts,
    component: lazyRouteComponent(() => import("./GroupPage.tsx"), "GroupPage"),
  }),
  screen({
    path: "devices/plan",
    right: "4:read",
    texts,
    component: lazyRouteComponent(() => import("./PlanPage.tsx"), "PlanPage"),
  }),
  screen({ path: "devices/group/$id/edit", right: "4:update|4:access_all", texts, component: form }),
];
