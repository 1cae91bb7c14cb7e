// Pictures of what can be done, in a box of 24 by 24 (`icon` of the element draws them).

export const icons = {
  add: 'M4 7h6l2 2h8v10H4zM12 11.500v5M9.500 14h5',
  camera: 'M4 8h4l2-3h4l2 3h4v11H4zM12 10a3.500 3.500 0 1 0 0 7a3.500 3.500 0 1 0 0-7z',
  cover: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 8.500v.5',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  info: 'M12 11v6M12 7v.5M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  months: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  move: 'M4 6h6l2 2h8v11H4zM9 14h6M13 11.500l2.500 2.500-2.500 2.500',
  open: 'M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7',
  play: 'M8 5l11 7-11 7z',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  rename: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  restore: 'M5 11h9a5 5 0 0 1 0 10h-3M9 7l-4 4 4 4',
  select: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM8 12l3 3 5-6',
  sort: 'M7 5v14M4 16l3 3 3-3M13 7h7M13 12h5M13 17h3',
  undo: 'M5 9h9a5 5 0 0 1 0 10h-3M9 5L5 9l4 4',
  view: 'M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h5v5h-5z',
};
