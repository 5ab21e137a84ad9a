typedef unknown name;
