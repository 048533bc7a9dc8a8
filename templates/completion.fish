# npx pipeline-understudy completion fish | source
function __pipeline_understudy
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  $words[1] complete -- $words[2..-1] "$current" 2>/dev/null; or __fish_complete_path "$current"
end
complete -c pipeline-understudy -f -a '(__pipeline_understudy)'
complete -c understudy -f -a '(__pipeline_understudy)'
