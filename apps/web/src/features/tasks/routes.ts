import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "devices/tasks",
    right: "4:read",
    palette: { slug: "tasks", icon: "play" },
    texts: ["tasks", "devices", "freeze", "grid"],
    component: lazyRouteComponent(() => import("./TasksPage.tsx"), "TasksPage"),
  }),
];
