import { useLoaderData, useRouter } from "@tanstack/react-router";
import { Suspense } from "react";
import { lazily } from "#lib/load";
import { LoginPage } from "../../features/auth/LoginPage.tsx";

const AdminPage = lazily(async () => ({ default: (await import("./AdminPage.tsx")).AdminPage }));

/** Without a session the login form is part of the page; signing in there reloads the page. */
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
