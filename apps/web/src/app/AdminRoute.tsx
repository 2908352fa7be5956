import { useLoaderData, useRouter } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { LoginPage } from "../features/auth/LoginPage.tsx";

const AdminPage = lazy(async () => ({ default: (await import("./AdminPage.tsx")).AdminPage }));

/** Without a session the login form stands in the page itself; signing in there loads the page anew, now with one. */
export function AdminRoute() {
  const site = useLoaderData({ from: "/admin" });
  const router = useRouter();
  if (site !== null) return <LoginPage site={site} onSignedIn={() => router.invalidate()} />;
  return (
    <Suspense>
      <AdminPage />
    </Suspense>
  );
}
