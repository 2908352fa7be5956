import { useLoaderData } from "@tanstack/react-router";
import { useState } from "react";
import { storedToken } from "#lib/token";
import { LoginPage } from "../features/auth/LoginPage.tsx";
import { LaterPage } from "./LaterPage.tsx";

/** Without a session the login form stands in the page itself. */
export function AdminRoute() {
  const site = useLoaderData({ from: "/admin" });
  const [isSignedIn, setSignedIn] = useState(storedToken() !== null);
  const enter = () => {
    setSignedIn(true);
    return Promise.resolve();
  };
  if (!isSignedIn) return <LoginPage site={site} onSignedIn={enter} />;
  return (
    <main>
      <LaterPage />
    </main>
  );
}
