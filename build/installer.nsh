; Windows: offers the app for wallets and backups in "Open with". Many programs write .bak and .dat files, so it takes these endings from none.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\WalletFerry.Backup" "" "Bitcoin Core wallet backup"
  WriteRegStr SHELL_CONTEXT "Software\Classes\WalletFerry.Backup\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\WalletFerry.Backup\shell\open\command" "" '"$appExe" "%1"'
  WriteRegNone SHELL_CONTEXT "Software\Classes\.bak\OpenWithProgids" "WalletFerry.Backup"
  WriteRegNone SHELL_CONTEXT "Software\Classes\.dat\OpenWithProgids" "WalletFerry.Backup"
  System::Call "shell32::SHChangeNotify(i,i,i,i) (0x08000000, 0x1000, 0, 0)"
!macroend

!macro customUnInstall
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.bak\OpenWithProgids" "WalletFerry.Backup"
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.dat\OpenWithProgids" "WalletFerry.Backup"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\WalletFerry.Backup"
  System::Call "shell32::SHChangeNotify(i,i,i,i) (0x08000000, 0x1000, 0, 0)"
!macroend
