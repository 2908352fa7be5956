import { profile } from "@metrum/contract/access";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useSession } from "#lib/session";
import { SettingsLayout, SettingsRow, SettingsSection } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { EmailForm } from "./EmailForm.tsx";
import { NewsSection } from "./NewsSection.tsx";
import { PasswordForm } from "./PasswordForm.tsx";
import { PersonalForm } from "./PersonalForm.tsx";
import "./profile.css";
import { SessionsSection } from "./SessionsSection.tsx";
import { TokensSection } from "./TokensSection.tsx";
import { TwoFactorSection } from "./TwoFactorSection.tsx";
import { LanguageForm, LookSection } from "./ViewForms.tsx";

const sections = ["personal", "view", "sign-in", "two-factor", "sessions", "tokens", "news"] as const;
type Section = (typeof sections)[number];

/** Users who may not change the account: demonstration users, and staff acting as another user. */
type Guest = "demo" | "entered";
const ofGuests: readonly Section[] = ["personal", "view", "sessions"];

/** Own settings of the signed-in user. Sections that are always refused to guests are hidden. */
export function ProfilePage() {
  const { t } = useTranslation("profile");
  const { user, access } = useSession();
  const { section }: Readonly<Record<string, string | undefined>> = useParams({ strict: false });
  const guest: Guest | null = user.is_demo ? "demo" : access.entered === null ? null : "entered";
  const offered = guest === null ? sections : ofGuests;
  const current = offered.find((each) => each === section) ?? null;
  const items = (...ids: readonly Section[]) =>
    ids
      .filter((id) => offered.includes(id))
      .map((id) => ({ id, title: t(`section.${id}`), text: t(`sectionText.${id}`) }));
  return (
    <SettingsLayout
      title={t("title")}
      facts={user.email}
      base="/cloud/profile"
      current={current}
      groups={[
        { title: t("group.account"), items: items("personal", "view", "news") },
        { title: t("group.security"), items: items("sign-in", "two-factor", "sessions", "tokens") },
      ]}
    >
      <Content section={current ?? "personal"} guest={guest} />
    </SettingsLayout>
  );
}

function Content({ section, guest }: { readonly section: Section; readonly guest: Guest | null }) {
  switch (section) {
    case "personal":
      return guest === null ? <PersonalForm /> : <PersonalFacts guest={guest} />;
    case "view":
      return (
        <>
          {guest === null ? <LanguageForm /> : null}
          <LookSection />
        </>
      );
    case "sessions":
      return <SessionsSection />;
    case "tokens":
      return <TokensSection />;
    default:
      return <Secured section={section} />;
  }
}

/** The same data read-only, with the reason. */
function PersonalFacts({ guest }: { readonly guest: Guest }) {
  const { t } = useTranslation("profile");
  const { user } = useSession();
  return (
    <SettingsSection title={t("personal.title")} text={t(`personal.${guest}`)}>
      <SettingsRow title={t("personal.name")}>{user.name}</SettingsRow>
      <SettingsRow title={t("email.email")}>{user.email}</SettingsRow>
      <SettingsRow title={t("personal.phone")}>{user.phone_number ?? "—"}</SettingsRow>
    </SettingsSection>
  );
}

/** Sections that show the state of the account on the server. */
function Secured({ section }: { readonly section: "sign-in" | "two-factor" | "news" }) {
  const { t } = useTranslation("profile");
  const { data, error, refetch } = useCall(profile.state, {}, { isQuiet: true });
  if (error)
    return (
      <SettingsSection title={t(`section.${section}`)}>
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      </SettingsSection>
    );
  if (!data)
    return (
      <SettingsSection title={t(`section.${section}`)}>
        <Skeleton height={160} />
      </SettingsSection>
    );
  switch (section) {
    case "sign-in":
      return (
        <>
          <EmailForm />
          <PasswordForm minLength={data.password_min_length} />
        </>
      );
    case "two-factor":
      return <TwoFactorSection state={data.two_factor} />;
    case "news":
      return <NewsSection isSubscribed={data.newsletter_subscribed} />;
  }
}
