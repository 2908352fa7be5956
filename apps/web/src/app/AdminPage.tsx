import { PlatformAdminPage } from "../features/platform-admin/PlatformAdminPage.tsx";
import { AdminBar } from "./AdminBar.tsx";

/** The page of the platform with its bar, for who is signed in. */
export function AdminPage() {
  return (
    <div className="admin">
      <AdminBar />
      <main>
        <PlatformAdminPage />
      </main>
    </div>
  );
}
