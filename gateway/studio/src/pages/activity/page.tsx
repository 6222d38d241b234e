import { Route, Routes } from 'react-router';
import { ActivityList } from './activity-list.tsx';
import { CallPage } from './call-page.tsx';

export default function ActivityPage() {
  return (
    <Routes>
      <Route index element={<ActivityList />} />
      <Route path="calls/:id" element={<CallPage />} />
    </Routes>
  );
}
