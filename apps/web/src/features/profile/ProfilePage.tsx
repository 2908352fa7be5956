import { profile } from "@metrum/contract";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useSession } from "#lib/session";
import { SettingsLayout, SettingsSection } from "#ui/settings";
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

/** What the signed-in user sets up for himself. */
export function ProfilePage() {
  const { t } = useTranslation("profile");
  const { user } = useSession();
  const { section } = useParams({ strict: false });
  const current = sections.find((each) => each === section) ?? null;
  const item = (id: Section) => ({ id, title: t(`section.${id}`), text: t(`sectionText.${id}`) });
  return (
    <SettingsLayout
      title={t("title")}
      facts={user.email}
      base="/cloud/profile"
      current={current}
      groups={[
        { title: t("group.account"), items: [item("personal"), item("view"), item("news")] },
        {
          title: t("group.security"),
          items: [item("sign-in"), item("two-factor"), item("sessions"), item("tokens")],
        },
      ]}
    >
      <Content section={current ?? "personal"} />
    </SettingsLayout>
  );
}

function Content({ section }: { readonly section: Section }) {
  switch (section) {
    case "personal":
      return <PersonalForm />;
    case "view":
      return (
        <>
          <LanguageForm />
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

/** Sections that show how the account stands on the server. */
function Secured({ section }: { readonly section: "sign-in" | "two-factor" | "news" }) {
  const { t } = useTranslation("profile");
  const { data, error, refetch } = useCall(profile.state, {}, { isQuiet: true });
  if (error)
    return (
      <SettingsSection title={t(`section.${section}`)}>
        <ErrorState title={t("failed")} message={error.msg} onRetry={() => void refetch()} />
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
