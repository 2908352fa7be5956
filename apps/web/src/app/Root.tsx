import { Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense } from "react";
import { DialogHost } from "#ui/dialog";
import { RouteProgress } from "#ui/progress";
import { Snackbars } from "#ui/snackbar";

/** Elements common to every screen. */
export function Root() {
  const isPending = useRouterState({ select: (state) => state.isLoading });
  return (
    <>
      <RouteProgress isPending={isPending} />
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
      <DialogHost />
      <Snackbars />
    </>
  );
}
