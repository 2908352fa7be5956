import { useNavigate } from "@tanstack/react-router";
import { LoginPage } from "../features/auth/LoginPage.tsx";
import { takeReturn } from "./address.ts";
import { lastFarewell, sayFarewell } from "./guard.ts";

/** After signing in: the link that was asked for, else the shell. */
export function LoginRoute() {
  const navigate = useNavigate();
  const enter = () => {
    sayFarewell(null);
    void navigate({ href: takeReturn(), replace: true });
  };
  return <LoginPage notice={lastFarewell()} onSignedIn={enter} />;
}
