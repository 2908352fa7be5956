import { useLoaderData, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ActivatePage } from "../../features/registration/ActivatePage.tsx";
import { ForgotPage } from "../../features/registration/ForgotPage.tsx";
import { RegistrationPage } from "../../features/registration/RegistrationPage.tsx";
import { ResetPage } from "../../features/registration/ResetPage.tsx";
import { EntryColumn } from "./EntryColumn.tsx";

function useToLogin() {
  const navigate = useNavigate();
  return () => void navigate({ href: "/auth/login", replace: true });
}

export function RegistrationRoute() {
  const { site, usesRandomPasswords } = useLoaderData({ from: "/auth/registration" });
  const { t } = useTranslation("registration");
  const toLogin = useToLogin();
  return (
    <EntryColumn site={site} title={t("registration.title")}>
      <RegistrationPage usesRandomPasswords={usesRandomPasswords} onDone={toLogin} />
    </EntryColumn>
  );
}

export function ActivateRoute() {
  const { site, activation } = useLoaderData({ from: "/auth/activate/$token" });
  const { t } = useTranslation("registration");
  const toLogin = useToLogin();
  return (
    <EntryColumn site={site} title={t("activation.title")}>
      <ActivatePage {...activation} onDone={toLogin} />
    </EntryColumn>
  );
}

export function ForgotRoute() {
  const { site } = useLoaderData({ from: "/auth/forget" });
  const { t } = useTranslation("registration");
  const toLogin = useToLogin();
  return (
    <EntryColumn site={site} title={t("forgot.title")}>
      <ForgotPage onDone={toLogin} />
    </EntryColumn>
  );
}

export function ResetRoute() {
  const { site, ...found } = useLoaderData({ from: "/auth/forget/reset/$token" });
  const { t } = useTranslation("registration");
  const toLogin = useToLogin();
  return (
    <EntryColumn site={site} title={t("reset.title")}>
      <ResetPage {...found} onDone={toLogin} />
    </EntryColumn>
  );
}
